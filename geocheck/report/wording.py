"""pt-BR words for the closed lists, and numbers, dates and money as Brazilians write them."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Final

from geocheck.model.words import Outcome, Place, Verdict

if TYPE_CHECKING:
    from geocheck.model.finding import FindingReport

OUTCOMES: Final = {
    Outcome.NOT_APPLICABLE: "não se aplica",
    Outcome.COMPLIANT: "conforme",
    Outcome.CONDITIONAL: "depende",
    Outcome.NOT_EVALUATED: "não avaliada",
    Outcome.BORDERLINE: "limítrofe",
    Outcome.VIOLATION: "não conforme",
}

VERDICTS: Final = {
    Verdict.PROHIBITED: "proibido",
    Verdict.INCONCLUSIVE: "inconclusivo",
    Verdict.CONDITIONAL: "depende",
    Verdict.NO_IMPEDIMENT_FOUND: "nenhum impedimento encontrado",
}

PLACES: Final = {
    Place.CARRIAGEWAY: "pista",
    Place.PARKING_BAY: "remanso ou baia de estacionamento",
    Place.SHOULDER: "acostamento",
    Place.FOOTWAY: "calçada",
    Place.PROPERTY: "interior do imóvel",
}

BASES: Final = {
    "map": "mapa",
    "plan": "plano",
    "measured": "medida",
    "observed": "observado",
    "declared": "declarado",
}

STATUSES: Final = {
    "in_force": "em vigor",
    "revoked": "REVOGADA",
    "not_yet_in_force": "ainda não em vigor",
    "unknown": "vigência desconhecida",
}

CLASSES: Final = {"leve": "leve", "media": "média", "grave": "grave", "gravissima": "gravíssima"}

MEASURES: Final = {
    "seizure": "apreensão",
    "removal": "remoção",
    "retention": "retenção até regularizar",
    "written_warning": "advertência escrita",
    "licence_suspension": "suspensão da licença",
    "licence_cancellation": "cassação da licença",
    "revocation": "revogação da autorização",
    "repair_damage": "reparo do dano",
    "cleaning": "limpeza imediata",
    "removal_of_material": "remoção do material depositado",
    "costs": "custo do serviço",
}

PRIOR_NOTICE: Final = {
    "required": "exige notificação prévia",
    "none": "sem notificação prévia",
    "discretionary": "pode ser precedida de notificação com prazo",
    "unstated": "",
}

LAYERS: Final = {
    "axis": "eixo da rua",
    "kerb": "guia",
    "corner": "esquina",
    "crossing_area": "área de cruzamento",
    "mouth": "boca de rua lateral",
    "block": "quadra",
    "lot": "lote",
    "building": "edificação",
    "hoarding": "tapume",
    "footway": "calçada",
    "driveway": "guia rebaixada de garagem",
    "ramp": "rampa de acessibilidade",
    "crossing": "faixa de pedestres",
    "signal": "semáforo",
    "sign": "placa de regulamentação",
    "parking_lane": "faixa de estacionamento",
    "parking_bay": "vaga ou remanso de estacionamento",
    "special_bay": "vaga especial ou reservada",
    "loading_bay": "vaga de carga e descarga",
    "paid_parking": "estacionamento rotativo pago",
    "shoulder": "acostamento",
    "gutter": "sarjeta",
    "bus_stop": "ponto de ônibus",
    "taxi_stand": "ponto de táxi",
    "truck_stand": "ponto de caminhões de aluguel",
    "turnaround": "viradouro de ônibus",
    "hydrant": "hidrante",
    "water_valve": "registro de água",
    "manhole": "poço de visita",
    "storm_drain": "boca de lobo",
    "median": "canteiro central",
    "island": "ilha ou refúgio",
    "marking": "marca viária",
    "cycleway": "ciclovia ou ciclofaixa",
    "bridge": "ponte ou viaduto",
    "tunnel": "túnel",
    "expressway": "rodovia ou via de trânsito rápido",
    "green": "gramado ou jardim público",
    "square": "praça",
    "pedestrian_street": "via ou área de pedestres",
    "arcade": "galeria comercial",
    "crowded_place": "local de grande concentração de pessoas",
    "entrance": "entrada ou saída de público",
    "emergency_exit": "saída de emergência",
    "street_furniture": "mobiliário ou equipamento urbano",
    "waterway": "curso d'água",
    "heritage": "área de patrimônio histórico",
    "basic_road_system": "sistema viário básico",
    "central_zone": "zona central",
    "transit_corridor": "corredor de transporte coletivo",
    "special_treatment_road": "via de Tratamento Especial",
    "central_axis": "eixo urbano central",
    "address": "endereço",
    "standing_skip": "caçamba já parada",
    "correction": "correção",
}

_FEMININE: Final = frozenset(
    {
        "kerb",
        "corner",
        "crossing_area",
        "mouth",
        "block",
        "building",
        "footway",
        "driveway",
        "ramp",
        "crossing",
        "sign",
        "parking_lane",
        "parking_bay",
        "special_bay",
        "loading_bay",
        "gutter",
        "storm_drain",
        "island",
        "marking",
        "cycleway",
        "bridge",
        "expressway",
        "square",
        "pedestrian_street",
        "arcade",
        "entrance",
        "emergency_exit",
        "heritage",
        "central_zone",
        "special_treatment_road",
        "standing_skip",
        "correction",
    }
)

WIDTH_SOURCES: Final = {
    "correction": "correção",
    "surveyed": "guia levantada",
    "kerb_way": "guia desenhada no OSM",
    "width:carriageway": "width:carriageway",
    "width": "width",
    "est_width": "est_width",
    "lanes_parking": "faixas e estacionamento",
    "right_of_way": "distância entre quadras",
    "class_default": "padrão da classe",
}
"""Where the width of a carriageway, and so the place of its kerb, comes from."""

ACTS: Final = {
    "defence": "defesa",
    "decision": "decisão",
    "appeal": "recurso",
    "appeal_decision": "decisão do recurso",
    "payment": "pagamento",
    "auction": "leilão",
}

EVENTS: Final = {
    "notification": "notificação",
    "defence": "defesa",
    "decision": "decisão",
    "appeal": "recurso",
    "publication": "publicação",
    "seizure": "apreensão",
}

TERM_UNITS: Final = {
    "business_days": "dias úteis",
    "calendar_days": "dias corridos",
    "running_hours": "horas corridas",
    "business_hours": "horas em dias úteis",
}

TOPICS: Final = {
    "corner": "esquina",
    "kerb_gap": "distância da guia",
    "position": "posição",
    "flow_direction": "contramão",
    "expressway": "rodovias e vias rápidas",
    "shoulder": "acostamento",
    "hydrant": "hidrantes e registros",
    "footway": "calçada",
    "crossing": "faixa de pedestres",
    "cycleway": "ciclovia",
    "median": "canteiro central",
    "median_side": "junto ao canteiro central",
    "island": "ilhas e canalização",
    "green": "gramados e jardins",
    "driveway": "guia rebaixada",
    "double_row": "fila dupla",
    "crossing_area": "área de cruzamento",
    "bus_stop": "ponto de ônibus",
    "bridge": "pontes e túneis",
    "signs": "placas",
    "special_bay": "vagas especiais",
    "permit": "autorização",
    "signalling": "sinalização de obstáculo",
    "work_permit": "permissão de obra",
    "footway_use": "uso da calçada",
}

KEYS: Final = {
    "gap_m": "a distância da lateral da caçamba à guia",
    "angle_deg": "o ângulo entre a caçamba e a guia, em graus",
    "corner_before_m": "a distância até a esquina de trás (no sentido do trânsito)",
    "corner_after_m": "a distância até a esquina da frente (no sentido do trânsito)",
    "corner_curve_before_m": "a distância até o início da curva da esquina de trás",
    "corner_curve_after_m": "a distância até o início da curva da esquina da frente",
    "driveway_before_m": "a distância até a guia rebaixada anterior (no sentido do trânsito)",
    "driveway_after_m": "a distância até a guia rebaixada seguinte (no sentido do trânsito)",
    "clear_width_m": "a passagem livre que resta na calçada",
    "parking_lane_width_m": "a largura da faixa de estacionamento",
    "carriageway_width_m": "a largura da pista",
    "footway_width_m": "a largura da calçada",
    "cross_footway_width_m": "a largura da calçada da via transversal",
    "length_m": "o comprimento da caçamba",
    "width_m": "a largura da caçamba",
    "height_m": "a altura das três faces altas",
    "low_face_m": "a altura da face baixa",
    "volume_m3": "a capacidade da caçamba",
    "end": "a data e a hora da retirada",
    "site.interior_possible": "se a caçamba cabe dentro do imóvel",
    "site.hoarding_possible": "se a caçamba cabe atrás do tapume",
    "site.footway_possible": "se a caçamba cabe na calçada",
    "site.bay_available": "se há remanso diante do lote",
    "site.inside_hoarding": "se a caçamba fica dentro do tapume",
    "site.skips_on_lot": "quantas outras caçambas há para este lote",
    "site.bays_on_block": "quantas vagas tem a quadra",
    "site.bays_occupied_on_block": "quantas vagas da quadra outras caçambas ocupam",
    "site.bays_occupied": "quantas vagas esta caçamba ocupa",
    "of_served_lot": "se a guia rebaixada mais próxima é a do imóvel atendido",
    "site.low_face_upstream": "se a face baixa está voltada para quem vem na pista",
}

WEEKDAYS: Final = ("seg", "ter", "qua", "qui", "sex", "sáb", "dom")


def number(value: float, decimals: int = 2) -> str:
    """Write a number with a decimal comma."""
    return f"{value:.{decimals}f}".replace(".", ",")


def metres(value: float) -> str:
    """Write metres to the centimetre, or to the millimetre where the centimetre would hide a breach."""
    exact = abs(round(value, 2) - value) < 5e-4  # noqa: PLR2004 (half a millimetre)
    return f"{number(value, 2 if exact else 3)} m"


def centimetres(value: float, limit: float, *, breach: bool) -> str:
    """Write what a map measured to the centimetre; a breach is never written as if it were at its limit."""
    said = round(value, 2)
    if breach and said == round(limit, 2):
        said += 0.01 if value > limit else -0.01
    return f"{number(said)} m"


def plus_minus(u: float) -> str:
    """Write the half-width of an interval, rounded up to the centimetre."""
    return f"± {number(math.ceil(round(u * 100, 6)) / 100)} m"


def the(layer: str) -> str:
    """Name a thing with its article (`a esquina`)."""
    return f"{'a' if layer in _FEMININE else 'o'} {LAYERS[layer]}"


def of_the(layer: str) -> str:
    """Name a thing with its article after “de” (`da esquina`)."""
    return f"d{the(layer)}"


def nearest(layer: str) -> str:
    """Name the nearest thing of a layer (`a esquina mais próxima`)."""
    return f"{the(layer)} mais próxim{'a' if layer in _FEMININE else 'o'}"


def other(layer: str) -> str:
    """Name another thing of a layer (`outra` or `outro`)."""
    return "outra" if layer in _FEMININE else "outro"


def no(layer: str) -> str:
    """Name none of a layer (`nenhuma` or `nenhum`)."""
    return "nenhuma" if layer in _FEMININE else "nenhum"


def either(items: list[str] | tuple[str, ...]) -> str:
    """Join with commas and a final “ou”."""
    return " ou ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""


def money(text: str) -> str:
    """Write decimal text as reais (`"5000.00"` → `R$ 5.000,00`)."""
    whole, _, cents = text.partition(".")
    return f"R$ {int(whole):,}".replace(",", ".") + f",{cents or '00'}"


def moment(when: dt.datetime) -> str:
    """Write an instant with its weekday (`sex, 30/10/2026 23:59`)."""
    return f"{WEEKDAYS[when.weekday()]}, {when:%d/%m/%Y %H:%M}"


def day(date: dt.date | str) -> str:
    """Write a date the Brazilian way."""
    return f"{dt.date.fromisoformat(date) if isinstance(date, str) else date:%d/%m/%Y}"


def joined(items: list[str] | tuple[str, ...]) -> str:
    """Join with commas and a final “e”."""
    return " e ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""


def cited(finding: FindingReport) -> str:
    """Cite a finding's passage, naming the act where it is not the city's own."""
    return f"{finding.law.act}, {finding.law.locator}" if finding.law.act else finding.law.locator


def key_name(key: str) -> str:
    """Say what to measure or tell, for a key of the request."""
    if key in KEYS:
        return KEYS[key]
    layer = key.removeprefix("in_zone.").removesuffix("_m")
    if key.startswith("in_zone."):
        return f"se o local fica em {LAYERS[layer]}"
    return f"a distância até {the(layer)}" if layer in LAYERS else layer
