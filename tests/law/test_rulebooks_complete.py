"""The shipped rulebooks against tables typed anew from the provisions: every rule, number and penalty."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from geocheck.cities import city_names
from geocheck.law.kinds import EVALUABLE, OperationWindow, ZoneAuthorisation
from geocheck.law.kinds.base import TOPICS
from geocheck.law.load import load_rulebook, rulebook_ids
from geocheck.law.versions import city_law
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    from geocheck.law.rulebook import Rule, Rulebook
    from geocheck.law.tables import Sanction
    from geocheck.law.windows import Window

BOOKS = {
    "GYN": "goiania-decreto-286-2004",
    "JDF": "juiz-de-fora-lei-14670-2023",
    "DVZ": "dois-vizinhos-lei-1567-2010",
    "OLD": "olinda-lei-5474-2005",
    "RVD": "rio-verde-taxi",
    "CTB": "ctb",
}

ARTICLES = {
    # the article of each rule, in the order of their numbers
    "GYN": [
        1,
        2,
        *[10] * 6,
        11,
        11,
        11,
        20,
        11,
        11,
        20,
        *[11] * 4,
        20,
        *[11] * 3,
        20,
        *range(12, 17),
        20,
        39,
        34,
        42,
        8,
    ],
    "JDF": [2, 3, 4, 7, 7, 8, *[9] * 12, 10, 11, *[12] * 11, 13, 14, 15, 16, 17, 18, 21, 22, 1],
    "DVZ": [3, *[4] * 6, *[5] * 7, *range(6, 20)],
    "OLD": [*[14] * 6, 18, 19, 16, 15, 11, 14, 13],
    "RVD": [59, 61, 63],
    "CTB": [*[181] * 14, 245, 246, 95, 68],
}


def book(prefix: str) -> Rulebook:
    return load_rulebook(BOOKS[prefix]).book


RULES: dict[str, Rule] = {rule.id: rule for prefix in BOOKS for rule in book(prefix).rule}
EVALUABLE_RULES = sorted(rule_id for rule_id, rule in RULES.items() if rule.evaluable_tests)


# Every rule, with its article and its kind.


def test_the_rulebooks_are_those_of_the_five_cities_and_the_code() -> None:
    assert set(rulebook_ids()) == set(BOOKS.values())


@pytest.mark.parametrize(
    ("prefix", "count"), [("GYN", 34), ("JDF", 40), ("DVZ", 28), ("OLD", 13), ("RVD", 3), ("CTB", 18)]
)
def test_every_provision_is_there_once(prefix: str, count: int) -> None:
    assert [rule.id for rule in book(prefix).rule] == [f"{prefix}-{n:02d}" for n in range(1, count + 1)]


def test_there_are_136_provisions() -> None:
    assert len(RULES) == 136


@pytest.mark.parametrize("prefix", BOOKS)
def test_every_rule_cites_its_article(prefix: str) -> None:
    assert [int(re.sub(r"\D", "", rule.law.article)) for rule in book(prefix).rule] == ARTICLES[prefix]
    # Where the number has one digit it is an ordinal: Art. 9º, but Art. 10.
    for rule in book(prefix).rule:
        assert str(rule.law).startswith("Art. ")
        assert re.match(r"Art\. (\dº|\d{2,})(, |$)", str(rule.law)), rule.id


KINDS = {
    "min_distance": "GYN-11 GYN-13 JDF-12 JDF-14 JDF-15 JDF-16 DVZ-13 CTB-01",
    "max_distance": "GYN-10 JDF-09 CTB-02",
    "interval_exclusion": "GYN-22 JDF-13 CTB-10",
    "exclusion_zone": "GYN-12 GYN-16 GYN-17 GYN-18 GYN-19 GYN-20 GYN-23 JDF-01 JDF-17 JDF-22 JDF-23 JDF-27 "
    "DVZ-09 DVZ-10 DVZ-14 OLD-07 OLD-08 RVD-01 CTB-04 CTB-06 CTB-09 CTB-10 CTB-11 CTB-14",
    "frontage_exclusion": "JDF-24 JDF-25 JDF-29 DVZ-11 DVZ-12",
    "unquantified_proximity": "GYN-21 GYN-24 JDF-21 JDF-26 CTB-05",
    "side_of_feature": "GYN-13",
    "orientation": "GYN-06 JDF-11 CTB-03",
    "frontage_containment": "JDF-10 DVZ-06",
    "equipment_limit": "GYN-03 GYN-04 GYN-05 JDF-05",
    "clear_width": "JDF-08 DVZ-03 DVZ-07",
    "count_limit": "GYN-07",
    "placement_ladder": "GYN-09 JDF-02 JDF-07 DVZ-02",
    "zone_authorisation": "GYN-25 DVZ-04 DVZ-19 JDF-20 CTB-15 CTB-17",
    "operation_window": "DVZ-18 OLD-04",
    "max_stay": "GYN-27 JDF-30 DVZ-15",
    "sign_restriction": "GYN-14 GYN-15 JDF-09 JDF-28 DVZ-08 CTB-13",
    "fee_requirement": "JDF-19",
    "operator_requirement": "GYN-01 GYN-30 GYN-32 JDF-03 DVZ-01 DVZ-20 OLD-06",
    "marking_requirement": "GYN-08 JDF-04 JDF-33 DVZ-21",
    "conduct_duty": "GYN-02 GYN-28 GYN-29 GYN-34 JDF-06 JDF-31 JDF-32 JDF-34 JDF-35 JDF-36 JDF-37 JDF-38 "
    "JDF-39 JDF-40 DVZ-16 DVZ-17 DVZ-22 DVZ-23 DVZ-24 DVZ-25 DVZ-26 DVZ-27 OLD-01 OLD-02 OLD-03 OLD-05 "
    "OLD-09 OLD-10 OLD-11 OLD-13",
    "discretionary_power": "GYN-26 GYN-31 GYN-33 JDF-18",
    "external_reference": "JDF-09 JDF-20 JDF-22 DVZ-05 OLD-12",
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_has_a_test_of_its_kind(kind: str) -> None:
    lacking = [
        rule_id for rule_id in KINDS[kind].split() if kind not in {test.kind for test in RULES[rule_id].test}
    ]
    assert lacking == []


def test_no_provision_of_the_cities_is_left_without_a_kind() -> None:
    listed = {rule_id for ids in KINDS.values() for rule_id in ids.split()}
    # DVZ-28 lists papers; RVD-02 and 03 are about stands, not about skips; of the code only tests are listed.
    assert {rule_id for rule_id in RULES if not rule_id.startswith("CTB")} - listed == {
        "DVZ-28",
        "RVD-02",
        "RVD-03",
    }


# Layers.

WITHOUT_LAYERS = {
    # they ask about the skip itself, the time or where it stands; with zones, about these
    "equipment_limit",
    "placement_ladder",
    "max_stay",
    "zone_authorisation",
    "operation_window",
    "presence_window",
    "fee_requirement",
}


@pytest.mark.parametrize("rule_id", EVALUABLE_RULES)
def test_every_evaluable_rule_names_its_layers(rule_id: str) -> None:
    for test in RULES[rule_id].evaluable_tests:
        assert test.kind in EVALUABLE
        assert set(test.layers) <= set(LAYERS)
        assert test.layers or test.kind in WITHOUT_LAYERS, test.kind
    assert set(RULES[rule_id].layers) == {
        layer for test in RULES[rule_id].evaluable_tests for layer in test.layers
    }


LAYERS_LOOKED_AT = {
    "GYN-10": "kerb",
    "GYN-11": "corner footway",
    "GYN-12": "crossing_area mouth",  # at a T junction the kerb opposite has a mouth and no corner
    "GYN-13": "driveway",
    "GYN-14": "sign",
    "GYN-17": "loading_bay",
    "GYN-18": "transit_corridor",
    "GYN-20": "cycleway",
    "GYN-21": "signal",
    "GYN-22": "bus_stop",
    "GYN-23": "bridge tunnel",
    "GYN-24": "hydrant water_valve manhole",
    "GYN-25": "basic_road_system pedestrian_street central_zone paid_parking",
    "JDF-08": "footway",
    "JDF-13": "bus_stop",
    "JDF-15": "kerb",
    "JDF-16": "hydrant storm_drain",
    "JDF-17": "manhole",
    "JDF-22": "special_treatment_road",
    "JDF-25": "emergency_exit",
    "JDF-26": "sign signal",
    "JDF-29": "ramp",
    "DVZ-06": "lot",
    "DVZ-10": "crossing",
    "DVZ-11": "ramp",
    "DVZ-12": "bus_stop",
    "DVZ-13": "corner",
    "DVZ-14": "median",
    "DVZ-18": "central_axis",
    "OLD-07": "storm_drain gutter",
    "OLD-08": "waterway",
    "RVD-01": "taxi_stand",
    "CTB-09": "crossing_area mouth",
    "CTB-11": "bridge tunnel",
}


@pytest.mark.parametrize("rule_id", LAYERS_LOOKED_AT)
def test_rules_look_at_what_they_are_about(rule_id: str) -> None:
    assert set(RULES[rule_id].layers) == set(LAYERS_LOOKED_AT[rule_id].split())


# Numbers.

LIMITS: dict[str, set[float]] = {
    "GYN-03": {10},
    "GYN-04": {1.80},
    "GYN-05": {0.70, 1.20},
    "GYN-07": {2},
    "GYN-10": {0.50, 1.00},
    "GYN-11": {5},
    "GYN-13": {3},
    "GYN-21": {30},  # the service's own, as are the next two and the metres of CTB-05, DVZ-12 and JDF-26
    "GYN-24": {1},
    "GYN-22": {10},
    "GYN-27": {5, 24},
    "JDF-05": {2.65, 1.76, 1.39},
    "JDF-08": {1.20},
    "JDF-09": {0.50},
    "JDF-12": {10, 6},
    "JDF-13": {6},
    "JDF-14": {6},
    "JDF-15": {0.05},
    "JDF-16": {2},
    "JDF-26": {5},
    "JDF-30": {3},
    "DVZ-03": {1.20},
    "DVZ-12": {10},
    "DVZ-13": {5},
    "DVZ-15": {72},
    "CTB-01": {5},
    "CTB-02": {0.50, 1.00},
    "CTB-05": {1},
    "CTB-10": {10},
}
LIMIT_KEYS = ("min_m", "max_m", "max_m3", "before_m", "after_m", "assumed_m", "margin_m", "max_count")


@pytest.mark.parametrize("rule_id", LIMITS)
def test_the_limits_are_those_of_the_law(rule_id: str) -> None:
    found: set[float] = set()
    for test in RULES[rule_id].evaluable_tests:
        fields = test.model_dump()
        found |= {fields[key] for key in LIMIT_KEYS if fields.get(key)}
        found |= {band["up_to_m"] for band in fields.get("bands", ()) if band["up_to_m"]}
        term = fields.get("term", {})
        found |= {term[key] for key in ("limit_days", "limit_h") if term.get(key)}
    assert found == LIMITS[rule_id]


def hours(windows: tuple[Window, ...]) -> set[tuple[str, float, float]]:
    """Return each day of each window with its hours."""
    return {(day, window.opens / 3600, window.closes / 3600) for window in windows for day in window.days}


def test_the_hours_are_those_of_the_law() -> None:
    (axis,) = (test for test in RULES["DVZ-18"].test if isinstance(test, OperationWindow))
    assert hours(axis.allowed) == {
        ("business_day", 6, 8.5),
        ("business_day", 19, 22),
        ("saturday", 6, 8.5),
        ("saturday", 14, 22),
        ("sunday", 6, 22),
        ("holiday", 6, 22),
    }
    (zone,) = (test for test in RULES["GYN-25"].test if isinstance(test, ZoneAuthorisation))
    assert hours(zone.restricted) == {("business_day", 7, 19), ("saturday", 7, 13)}
    assert hours(zone.restricted_strict) == {("business_day", 0, 7), ("saturday", 0, 7)}
    assert {window.after for window in zone.restricted_strict} == {"weekday_holiday"}
    assert zone.issue_h == 48


# Penalties. A penalty is written as its class (or amount), what is arguable, the notice and the measures.

V = "grave, no notice, seizure"  # Goiânia, art. 20, § 10: general breach of art. 11
VII = "gravissima, no notice, seizure"
AFTER_NOTICE = "grave, notice first, seizure"
ART_24 = "leve, notice at discretion"  # Juiz de Fora
ART_25 = "media, notice at discretion"
MAYBE = "maybe licence_cancellation, maybe licence_suspension, maybe seizure"
ART_26 = f"grave, notice at discretion, {MAYBE}"
ART_27 = "gravissima, notice at discretion, licence_cancellation, licence_suspension, seizure"
ART_22, ART_23 = "10 UFM, removal", "10 UFM, seizure"  # Dois Vizinhos
NONE: tuple[str, ...] = ()

PENALTIES: dict[str, tuple[str, ...]] = {
    "GYN-01": ("gravissima, seizure", "gravissima, seizure", "revocation"),
    "GYN-02": ("untypified",),
    "GYN-03": ("grave, arguable, notice first, seizure",),
    "GYN-04": (AFTER_NOTICE,),
    "GYN-05": (AFTER_NOTICE,),
    "GYN-06": ("grave, no notice, seizure",),
    "GYN-07": ("untypified, written_warning",),
    "GYN-08": (
        "untypified",
        "leve, notice first",  # one reflector missing
        "media, notice first, seizure",  # two
        "grave, notice first, seizure",  # three
        "media, notice first, seizure",  # weak
        "media, notice first, seizure",  # advertising
        "grave, notice first, seizure",  # poor state
    ),
    "GYN-09": (VII, V),
    "GYN-10": (AFTER_NOTICE, "gravissima, no notice, seizure"),
    "GYN-11": (AFTER_NOTICE,),
    "GYN-12": ("gravissima, no notice, seizure",),
    "GYN-13": (AFTER_NOTICE, V),
    "GYN-14": ("grave, no notice, seizure",),
    "GYN-15": ("grave, no notice, seizure",),
    "GYN-16": (V,),
    "GYN-17": (V,),
    "GYN-18": (V,),
    "GYN-19": (VII,),
    "GYN-20": (VII,),
    "GYN-21": (VII,),
    "GYN-22": ("grave, no notice, seizure",),
    "GYN-23": ("gravissima, seizure",),
    "GYN-24": ("gravissima, seizure",),
    "GYN-25": (VII, "untypified"),
    "GYN-26": NONE,
    "GYN-27": (AFTER_NOTICE,),
    "GYN-28": ("media, no notice", "untypified"),
    "GYN-29": ("untypified",),
    "GYN-30": ("gravissima",),
    "GYN-31": NONE,
    "GYN-32": NONE,
    "GYN-33": NONE,
    "GYN-34": ("untypified",),
    "JDF-01": ("untypified",),
    "JDF-02": ("untypified",),  # through art. 9
    "JDF-03": (ART_27,),
    "JDF-04": (ART_24,),
    "JDF-05": (ART_24,),
    "JDF-06": ("untypified",),
    "JDF-10": NONE,
    "JDF-18": NONE,
    "JDF-19": ("media, no notice",),
    "JDF-37": ("untypified",),
    "JDF-38": (ART_25,),
    "JDF-39": (ART_26,),
    "JDF-40": ("untypified",),
    **{f"JDF-{n:02d}": (ART_25,) for n in (7, 8, 9, *range(11, 18), 20, *range(25, 32))},
    **{f"JDF-{n}": (ART_26,) for n in range(21, 25)},
    **{f"JDF-{n}": (ART_24,) for n in (32, 33, 36)},
    **{f"JDF-{n}": (ART_27,) for n in (34, 35)},
    **{f"DVZ-{n:02d}": (ART_22,) for n in (2, 3, 4, *range(6, 17), 20)},
    **{f"DVZ-{n:02d}": (ART_23,) for n in (1, 18, 22, 25)},
    **{f"DVZ-{n}": ("10 UFM",) for n in (19, 21, 24)},
    "DVZ-05": (ART_22, "10 UFM, retention"),  # the code through art. 4, § 3; through art. 20
    "DVZ-17": ("10 UFM, repair_damage",),
    "DVZ-23": ("10 UFM, retention",),
    "DVZ-26": ("10 UFM, removal_of_material",),
    "DVZ-27": ("10 UFM, cleaning",),
    "DVZ-28": ("10 UFM, repair_damage",),
    "OLD-01": ("gravissima",),
    "OLD-02": ("media",),
    "OLD-03": ("media",),
    "OLD-04": ("media",),
    "OLD-05": ("grave, costs",),
    "OLD-06": ("R$ 180.00",),
    "OLD-07": ("media",),
    "OLD-08": ("media", "gravissima", "gravissima"),
    "OLD-09": ("grave",),
    "OLD-10": ("grave",),
    "OLD-11": ("grave",),
    "OLD-12": ("untypified",),
    "OLD-13": ("media, costs",),
    "RVD-01": ("untypified",),  # no fine of this law on a skip
    "RVD-02": NONE,
    "RVD-03": NONE,
}

_NOTICES = {"required": "notice first", "none": "no notice", "discretionary": "notice at discretion"}


def _amount(sanction: Sanction) -> str:
    if sanction.amount_ufm is not None:
        return f"{sanction.amount_ufm.normalize():f} UFM"
    if sanction.amount_brl is not None:
        return f"R$ {sanction.amount_brl}"
    return sanction.class_ or ("untypified" if sanction.untypified else "")


def penalty(sanction: Sanction) -> str:
    parts = [
        _amount(sanction),
        "" if sanction.certain else "arguable",
        _NOTICES.get(sanction.prior_notice, ""),
        *sorted(sanction.measures),
        *sorted(f"maybe {measure}" for measure in sanction.discretionary_measures),
    ]
    return ", ".join(filter(None, parts))


@pytest.mark.parametrize("rule_id", PENALTIES)
def test_the_penalties_are_those_of_the_law(rule_id: str) -> None:
    assert sorted(map(penalty, RULES[rule_id].sanction)) == sorted(PENALTIES[rule_id])


def test_the_footway_outside_the_hoarding_is_vii_where_the_act_is_missing() -> None:
    """Goiânia: VII where art. 12 asks for an authorisation that is not held, else V."""
    seventh, fifth = RULES["GYN-09"].sanction
    assert (seventh.where, seventh.act_missing) == (("footway",), "GYN-25")
    assert (fifth.where, fifth.act_missing) == (None, None)


def test_no_rule_of_the_cities_is_left_without_an_expected_penalty() -> None:
    assert {rule_id for rule_id in RULES if not rule_id.startswith("CTB")} == set(PENALTIES)


VEHICLES = {
    # classes of the code, which are about vehicles
    1: "media",
    2: "leve grave",
    3: "media",
    4: "gravissima leve",
    5: "media",
    6: "grave",
    7: "media",
    8: "media grave",
    9: "grave",
    10: "media",
    11: "grave",
    12: "media",
    13: "grave media grave",
    14: "gravissima",
}


@pytest.mark.parametrize("number", VEHICLES)
def test_the_classes_of_the_code_are_by_analogy(number: int) -> None:
    sanctions = RULES[f"CTB-{number:02d}"].sanction
    assert [each.class_ for each in sanctions] == VEHICLES[number].split()
    assert not any(each.certain for each in sanctions)
    assert all(each.measures == (() if number == 12 else ("removal",)) for each in sanctions)


def test_what_the_code_asks_of_the_skip_itself() -> None:
    (deposit,), (obstacle,), (works,) = (RULES[f"CTB-{n}"].sanction for n in (15, 16, 17))
    assert penalty(deposit) == "grave, removal_of_material"
    assert (obstacle.class_, obstacle.max_factor, obstacle.certain) == ("gravissima", 5, True)
    assert (works.amount_brl, works.amount_to_brl) == (Decimal("81.35"), Decimal("488.10"))
    assert works.certain
    assert RULES["CTB-18"].sanction == ()


ABSORBED = {
    "GYN-11": "GYN-12",  # within the crossing area, X alone
    "GYN-16": "GYN-19 GYN-20 GYN-22",  # V yields to VII and XI, whose marks they are
    "GYN-17": "GYN-15",  # V yields to VIII where the plate is R-6b
    "JDF-02": "JDF-07",  # punished through art. 9
    "JDF-12": "JDF-27",  # between the plates: art. 12, VII
    "JDF-13": "JDF-27",
    "DVZ-07": "DVZ-03",  # the absolute floor of the same passage
}


def test_what_absorbs_what() -> None:
    found = {
        rule_id: {other for each in rule.sanction for other in each.displaced_by}
        for rule_id, rule in RULES.items()
    }
    assert {rule_id: others for rule_id, others in found.items() if others} == {
        rule_id: set(others.split()) for rule_id, others in ABSORBED.items()
    }
    # Nothing absorbs what absorbs it: both would vanish.
    assert not {other for others in found.values() for other in others} & {key for key in found if found[key]}


def test_places_have_one_sanction_each() -> None:
    """Goiânia: without the act, on the footway VII; on the carriageway no class."""
    footway, street = RULES["GYN-25"].sanction
    assert footway.where == ("footway",)
    assert set(street.where or ()) == {"carriageway", "parking_bay", "shoulder"}
    assert street.untypified


@pytest.mark.parametrize(
    ("prefix", "amounts"),
    [
        ("GYN", {"2004-02-12": "20 50 100 200"}),
        ("JDF", {"2023-07-28": "150 250 450 5000"}),
        ("OLD", {"2005-12-30": "30 60 120 180"}),
        ("CTB", {"2016-11-01": "88.38 130.16 195.23 293.47"}),
        ("DVZ", {}),
        ("RVD", {}),
    ],
)
def test_the_amounts_by_class(prefix: str, amounts: dict[str, str]) -> None:
    tables = book(prefix).sanctions.amounts
    found = {
        each.valid_from.isoformat(): [each.leve, each.media, each.grave, each.gravissima] for each in tables
    }
    assert found == {day: [Decimal(value) for value in values.split()] for day, values in amounts.items()}


def test_units_recurrence_and_index() -> None:
    tables = {prefix: book(prefix).sanctions for prefix in BOOKS}
    assert [prefix for prefix in BOOKS if tables[prefix].fiscal_unit] == ["DVZ"]
    recurrence = {prefix: tables[prefix].recurrence for prefix in BOOKS}
    assert [prefix for prefix in BOOKS if recurrence[prefix]] == ["GYN", "OLD"]
    goiania, olinda = recurrence["GYN"], recurrence["OLD"]
    assert goiania is not None
    assert olinda is not None
    assert (goiania.factor, goiania.look_back_years) == (Decimal("1.20"), None)
    assert (olinda.factor, olinda.look_back_years, olinda.scope) == (Decimal(2), 1, "same_offence")
    index = {prefix: tables[prefix].indexation for prefix in BOOKS}
    assert [prefix for prefix in BOOKS if index[prefix]] == ["GYN", "JDF", "OLD"]
    ipca_e, ipca = index["GYN"], index["OLD"]
    assert ipca_e is not None
    assert ipca is not None
    assert (ipca_e.index, str(ipca_e.first_on)) == ("IPCA-E", "2005-01-01")
    assert (ipca.index, ipca.publisher) == ("IPCA", "IBGE")
    assert tables["GYN"].cumulative
    assert tables["OLD"].cumulative


OLINDA_TERMS = (
    "defence 10 notification; decision 10 defence; appeal 5 decision; appeal_decision 15 appeal; "
    "payment 5 decision"
)


@pytest.mark.parametrize(
    ("prefix", "terms"),
    [
        ("GYN", "defence 10 notification; appeal 10 decision; auction 90 seizure"),
        ("JDF", "defence 15 notification; payment 15 publication"),
        ("DVZ", "appeal 15 notification; auction 90 seizure"),
        ("OLD", OLINDA_TERMS),
        ("RVD", ""),  # the terms of the taxi law are not about skips
        ("CTB", ""),
    ],
)
def test_the_terms_of_the_procedure(prefix: str, terms: str) -> None:
    found = book(prefix).sanctions.procedure
    assert "; ".join(f"{each.act} {each.limit_days} {each.start}" for each in found) == terms
    assert {each.day_type for each in found} <= {"calendar"}  # no text says business days
    assert [each.discount_percent for each in found if each.discount_percent] == (
        [20] if prefix == "OLD" else []
    )


@pytest.mark.parametrize(
    ("prefix", "first", "last"),
    [
        ("GYN", "2004-02-12", "2012-06-03"),
        ("JDF", "2023-07-28", None),
        ("DVZ", "2010-05-20", None),
        ("OLD", "2005-12-30", None),
        ("RVD", None, None),
        ("CTB", "1998-01-22", None),
    ],
)
def test_from_when_to_when(prefix: str, first: str | None, last: str | None) -> None:
    header = book(prefix).rulebook
    assert [day and day.isoformat() for day in (header.in_force_from, header.in_force_to)] == [first, last]
    if prefix == "GYN":
        assert "1.285" in (header.revoked_by or "")
        assert header.in_force_to is not None
        assert len(header.succeeded_by) == 3
    else:
        assert header.revoked_by is None


# What leaves the verdict open.

CRITICAL_KINDS = {
    # kinds 1 to 8, 10, 13, 16 to 18 and 20; 11 where it is a duty
    "min_distance",
    "max_distance",
    "distance_range",
    "interval_exclusion",
    "exclusion_zone",
    "frontage_exclusion",
    "unquantified_proximity",
    "side_of_feature",
    "containment",
    "clear_width",
    "zone_authorisation",
    "operation_window",
    "presence_window",
    "sign_restriction",
}
MANDATORY_FRONTAGE = {"DVZ-06"}


@pytest.mark.parametrize("rule_id", EVALUABLE_RULES)
def test_a_rule_is_critical_by_its_kinds_or_says_why_not(rule_id: str) -> None:
    rule = RULES[rule_id]
    by_kind = rule_id in MANDATORY_FRONTAGE or any(
        test.kind in CRITICAL_KINDS for test in rule.evaluable_tests
    )
    if rule.critical is None:
        assert rule.is_critical is by_kind
        assert rule.critical_reason is None
    else:
        assert rule.critical is rule.is_critical is not by_kind  # else the key says nothing
        assert len(rule.critical_reason or "") > 20


def test_the_olinda_hours_that_the_law_does_not_give_leave_nothing_open() -> None:
    assert not RULES["OLD-04"].is_critical


@pytest.mark.parametrize("rule_id", ["GYN-09", "JDF-02", "JDF-07", "DVZ-02"])
def test_a_ladder_about_which_nothing_is_declared_leaves_nothing_open(rule_id: str) -> None:
    assert not RULES[rule_id].is_critical


# The cities.


@pytest.mark.parametrize("city", city_names())
def test_the_law_of_each_city_loads(city: str) -> None:
    law = city_law(city)
    assert law.own
    assert law.fallback is not None
    assert law.fallback.id == "ctb"
    assert [each.book.rulebook.city for each in law.own] == [city] * len(law.own)
    fallback = law.city.fallback
    assert fallback is not None
    topics = {*fallback.topics, *(each.topic for each in fallback.silenced)}
    assert topics <= set(TOPICS)
    assert not set(fallback.topics) & {each.topic for each in fallback.silenced}


def test_each_rulebook_belongs_to_one_city() -> None:
    owners = {each: name for name in city_names() for each in city_law(name).city.rulebooks}
    assert set(owners) == set(rulebook_ids()) - {"ctb"}


def test_the_code_has_a_rule_for_each_topic() -> None:
    assert {test.topic for rule in book("CTB").rule for test in rule.test if test.topic} == set(TOPICS)


def test_where_the_city_lets_skips_onto_footway_and_shoulder_the_code_is_silent() -> None:
    silent = {
        name: {each.topic for each in fallback.silenced}
        for name in city_names()
        if (fallback := city_law(name).city.fallback) is not None
    }
    both = {"footway", "shoulder"}
    none: set[str] = set()
    assert silent == {
        "goiania": none,
        "juiz-de-fora": both,
        "dois-vizinhos": both,
        "olinda": none,
        "rio-verde": none,
    }


@pytest.mark.parametrize("city", ["olinda", "rio-verde"])
def test_without_a_skip_law_the_code_answers_for_everything(city: str) -> None:
    fallback = city_law(city).city.fallback
    assert fallback is not None
    assert set(fallback.topics) == set(TOPICS)


@pytest.mark.parametrize(
    ("city", "topics"),
    [
        ("juiz-de-fora", "driveway bridge cycleway"),
        ("dois-vizinhos", "driveway hydrant kerb_gap bridge cycleway"),
    ],
)
def test_the_code_answers_for_what_the_city_says_nothing_of(city: str, topics: str) -> None:
    fallback = city_law(city).city.fallback
    assert fallback is not None
    assert set(topics.split()) <= set(fallback.topics)
