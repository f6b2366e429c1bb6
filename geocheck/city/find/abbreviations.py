"""How Brazilians shorten the words of addresses, and how they spell numbers out; all folded to plain letters.

Forms in everyday use (hypotheses of the service, from no list of anybody's).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


def _by_form(told: Mapping[str, str]) -> dict[str, str]:
    return {form: word for word, forms in told.items() for form in (*forms.split(), word)}


KINDS: Final = _by_form(
    {
        "rua": "r",
        "avenida": "av ave aven avn",
        "alameda": "al alam",
        "travessa": "tv trav trv tr",
        "praca": "pc pca prc",
        "rodovia": "rod rdv",
        "estrada": "est estr",
        "largo": "lgo lg",
        "viela": "vla vie",
        "viaduto": "vd vdt viad",
        "passagem": "pas psg",
        "ladeira": "lad",
        "parque": "pq pque",
        "beco": "bc",
        "vila": "vl",
        "acesso": "ac",
        "marginal": "marg",
        "quadra": "qd",
        "via": "",
        "caminho": "cam",
        "servidao": "sv serv",
        "rotula": "rot",
        "jardim": "jd jard",
        "setor": "st",
        "parada": "",
        "anel": "",
    }
)
"""What a street is, by its form; only where a name begins."""

TITLES: Final = _by_form(
    {
        "doutor": "dr",
        "doutora": "dra",
        "professor": "prof",
        "professora": "profa",
        "engenheiro": "eng engo",
        "arquiteto": "arq",
        "general": "gen gal",
        "marechal": "mal mar",
        "coronel": "cel",
        "capitao": "cap",
        "major": "maj",
        "tenente": "ten",
        "sargento": "sgt",
        "soldado": "sd",
        "almirante": "alm",
        "brigadeiro": "brig",
        "comandante": "cmte cmdte",
        "presidente": "pres",
        "governador": "gov",
        "prefeito": "pref",
        "senador": "sen",
        "deputado": "dep",
        "vereador": "ver",
        "ministro": "min",
        "desembargador": "des",
        "comendador": "com comend",
        "conselheiro": "cons",
        "visconde": "visc vde",
        "barao": "br",
        "marques": "marq mq",
        "duque": "dq",
        "padre": "pe",
        "frei": "fr",
        "monsenhor": "mons",
        "dom": "",
        "dona": "",
        "irma": "",
    }
)
"""Titles, which people leave out of names as often as not."""

OTHERS: Final = _by_form(
    {
        "santa": "sta",
        "santo": "sto",
        "nossa": "nsa",
        "senhora": "sra",
        "jardim": "jd",
        "setor": "st",
        "vila": "vl",
        "parque": "pq pque",
        "residencial": "res resid",
        "conjunto": "conj cj",
        "loteamento": "lot lotm",
        "chacara": "ch chac",
        "junior": "jr",
    }
)
"""Other words, in the middle of names and in those of neighbourhoods."""

PARTICLES: Final = frozenset({"de", "da", "do", "das", "dos"})

_ONES: Final = (
    "um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete "
    "dezoito dezenove"
)
_TENS: Final = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_COMPLEMENTS: Final = (
    "apartamento apto ap apt sala sl loja lj l casa cs bloco bl fundos fds frente andar sobreloja terreo "
    "subsolo"
)
_STATES: Final = "ac al am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to"

NUMERALS: Final[dict[str, int]] = {
    **{word: number for number, word in enumerate(_ONES.split(), start=1)},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), start=2)},
    "uma": 1,
    "duas": 2,
    "catorze": 14,
    "primeiro": 1,
    "primeira": 1,
}
"""Streets are called “Rua Sete” and “Rua 7”, “Nove de Julho” and “9 de Julho”."""

COMPLEMENTS: Final = frozenset(_COMPLEMENTS.split())
"""What stands behind a house number and says where inside: no other place in the street."""

STATES: Final = frozenset(_STATES.split())
"""What stands behind the city's name."""
