"""Reading rulebooks: every slip in a file is named by file, rule and key, in pt-BR; none ends in a crash."""

from __future__ import annotations

import copy
import datetime as dt
import hashlib
import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geocheck.errors import DataFileError, Problem, UnknownNameError
from geocheck.files import data_folder
from geocheck.law.load import lint, load_rulebook, read_rulebook, rulebook_ids

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = (
    "ctb",
    "dois-vizinhos-lei-1567-2010",
    "goiania-decreto-286-2004",
    "juiz-de-fora-lei-14670-2023",
    "olinda-lei-5474-2005",
    "rio-verde-taxi",
)
FILES = [data_folder() / "rulebooks" / f"{name}.toml" for name in SHIPPED]

# A norm with one of most things, and two rules and tests or more, so that one slip empties no list.
NORM: dict[str, Any] = tomllib.loads("""
[rulebook]
id = "norma"
series = "cidade-cacambas"
city = "cidade"
title = "Norma"
short_title = "Norma"
source = "teste"
in_force_from = 2020-01-01
text_status = "complete"

[sanctions]
cumulative = true
fiscal_unit = { name = "UFM" }
recurrence = { factor = "1.20", scope = "same_offence" }
indexation = { index = "IPCA", period = "anual", locator = "Art. 9" }

[[sanctions.amounts]]
valid_from = 2020-01-01
leve = "20.00"
grave = "100.00"
source = "Art. 8"

[[sanctions.procedure]]
act = "defence"
limit_days = 10
day_type = "calendar"
start = "notification"
locator = "Art. 7"

[[rule]]
id = "AAA-01"
title = "Esquina e guia"
asks = "Manter distância."
law = { article = "1" }

[[rule.test]]
kind = "min_distance"
feature = "corner"
min_m = 5.0
metric = "along_kerb"
reference = "kerb_prolongation"
when = { attribute = "box", is = [false], unknown = "soft" }

[[rule.test]]
kind = "max_distance"
feature = "kerb"
max_m = 0.5
bands = [
  { above_m = 0.5, up_to_m = 1.0, sanction = "II" },
  { above_m = 1.0, sanction = "III" },
]

[[rule.test]]
kind = "exclusion_zone"
features = ["bridge", "tunnel"]

[[rule.test]]
kind = "orientation"
aspect = "parallel"
compliant_deg = 5.0
conditional_deg = 45.0

[[rule.test]]
kind = "equipment_limit"
quantity = "volume"
max_m3 = 10.0

[[rule.test]]
kind = "count_limit"
per = "lot"
max_count = 2

[[rule.test]]
kind = "interval_exclusion"
feature = "bus_stop"
before_m = 10.0
after_m = 0.0

[[rule.sanction]]
id = "II"
class = "leve"

[[rule.sanction]]
id = "III"
amount_ufm = "10"

[[rule]]
id = "AAA-02"
title = "Tempo e lugar"
asks = "Não demorar."
law = { article = "2" }
where = ["carriageway", "footway", "property"]

[[rule.test]]
kind = "zone_authorisation"
zones = ["central_zone", "square"]
authority = "SMT"
acts = ["place", "stay"]
restricted = [{ days = ["business_day", "sunday"], from = "07:00", to = "19:00" }]
issue_h = 48

[[rule.test]]
kind = "max_stay"
term = { unit = "business_days", limit_days = 5, first_day = "excluded" }
extension = { act = "prorrogação", rule = "AAA-01" }

[[rule.test]]
kind = "placement_ladder"
steps = [
  { places = ["property"] },
  { places = ["footway"], impossible = ["interior_possible"] },
  { places = ["carriageway"], act = "AAA-01" },
]

[[rule.test]]
kind = "sign_restriction"
codes = ["R-6a", "R-6c"]

[[rule.test]]
kind = "operator_requirement"
items = ["cadastro", "alvará"]
validity_years = 1
""")

ENGLISH = re.compile(
    r"\b(input|should|field|required|extra|permitted|valid|must|expected|value|error|unable|instance|greater"
    r"|less|than|least|type|parse|parsing|finite|string|is an?|directory|not)\b",
    re.IGNORECASE,
)

OTHERS_WORDS = re.compile("“[^”]*”|[(][^)]*[)]|um de: [^;]*")
"""What a message quotes of a file or lists of our closed vocabularies, which are English."""


def norm_with(path: str, value: object) -> dict[str, Any]:
    """Return a copy of the norm in which one place (`rule.0.test.1.max_m`) holds another value."""
    raw = copy.deepcopy(NORM)
    *inside, last = (int(step) if step.isdigit() else step for step in path.split("."))
    table: Any = raw
    for step in inside:
        table = table[step]
    table[last] = value
    return raw


def problems_in(folder: Path, raw: dict[str, Any]) -> tuple[Problem, ...]:
    """Return what `lint` says of tables written to `norma.toml`."""
    return problems_of_bytes(folder, tomli_w.dumps(raw).encode())


def problems_of_bytes(folder: Path, content: bytes) -> tuple[Problem, ...]:
    path = folder / "norma.toml"
    path.write_bytes(content)
    return lint(path)


# Good files.


def test_the_sample_norm_is_sound(tmp_path: Path) -> None:
    assert problems_in(tmp_path, NORM) == ()


def test_every_shipped_rulebook_is_sound() -> None:
    assert rulebook_ids() == SHIPPED
    for path in FILES:
        assert lint(path) == (), path.name


@pytest.mark.parametrize("path", FILES, ids=SHIPPED)
def test_the_hash_is_that_of_the_file(path: Path) -> None:
    loaded = load_rulebook(path.stem)
    assert (loaded.id, loaded.book.rulebook.id) == (path.stem, path.stem)
    assert loaded.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert load_rulebook(path.stem) is loaded  # read once


@pytest.mark.parametrize("path", FILES, ids=SHIPPED)
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(path: Path, tmp_path: Path) -> None:
    other = tmp_path / path.name
    other.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_rulebook(other).book == load_rulebook(path.stem).book


def test_an_unknown_rulebook_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="quis dizer “rio-verde-taxi”") as caught:
        load_rulebook("rio-verde-taxis")
    assert caught.value.field == "rulebook"


@pytest.mark.parametrize("name", ["../cities/goiania", "ctb.toml", "CTB", "", "cities"])
def test_a_rulebook_s_name_is_no_path(name: str) -> None:
    with pytest.raises(UnknownNameError):
        load_rulebook(name)


# Misspelt keys and words.


@pytest.mark.parametrize(
    ("table", "good", "bad", "where", "key"),
    [
        ("", "rule", "rules", "rules", ""),
        ("", "sanctions", "sanction", "sanction", ""),
        ("rulebook", "in_force_from", "in_force_form", "rulebook", "in_force_form"),
        ("rulebook", "title", "titel", "rulebook", "titel"),
        ("sanctions", "cumulative", "cummulative", "sanctions", "cummulative"),
        ("sanctions.amounts.0", "leve", "lev", "sanctions", "amounts[0].lev"),
        ("sanctions.procedure.0", "limit_days", "limit_dias", "sanctions", "procedure[0].limit_dias"),
        ("sanctions.indexation", "period", "periodo", "sanctions", "indexation.periodo"),
        ("rule.0", "title", "tittle", "AAA-01", "tittle"),
        ("rule.0.law", "article", "artigo", "AAA-01", "law.artigo"),
        ("rule.0.test.0", "min_m", "min_cm", "AAA-01", "test[0].min_cm"),
        ("rule.0.test.0", "feature", "features", "AAA-01", "test[0].features"),
        ("rule.0.test.0.when", "is", "is_", "AAA-01", "test[0].when.is_"),
        ("rule.0.test.1", "max_m", "max_cm", "AAA-01", "test[1].max_cm"),
        ("rule.0.test.1.bands.1", "above_m", "above_cm", "AAA-01", "test[1].bands[1].above_cm"),
        ("rule.0.sanction.0", "class", "classe", "AAA-01", "sanction[0].classe"),
        ("rule.1", "where", "were", "AAA-02", "were"),
        ("rule.1.test.0", "issue_h", "issue_hours", "AAA-02", "test[0].issue_hours"),
        ("rule.1.test.0.restricted.0", "from", "form", "AAA-02", "test[0].restricted[0].form"),
        ("rule.1.test.1.term", "limit_days", "limit_day", "AAA-02", "test[1].term.limit_day"),
        ("rule.1.test.1.extension", "rule", "rul", "AAA-02", "test[1].extension.rul"),
        ("rule.1.test.2.steps.1", "impossible", "imposible", "AAA-02", "test[2].steps[1].imposible"),
        ("rule.1.test.4", "items", "itens", "AAA-02", "test[4].itens"),
    ],
)
def test_a_misspelt_key_is_named_with_the_nearest_known_one(
    tmp_path: Path, table: str, good: str, bad: str, where: str, key: str
) -> None:
    raw = copy.deepcopy(NORM)
    inside: Any = raw
    for step in filter(None, table.split(".")):
        inside = inside[int(step) if step.isdigit() else step]
    inside[bad] = inside.pop(good)
    found = problems_in(tmp_path, raw)
    misspelt = [each for each in found if each.message.startswith("chave desconhecida")]
    assert misspelt == [Problem("norma.toml", where, key, f"chave desconhecida; quis dizer “{good}”?")]
    # At most one more: the key itself is missing (or what needs it).
    assert len(found) <= 2
    for other in set(found) - set(misspelt):
        assert "falta" in other.message or "dê" in other.message


@pytest.mark.parametrize(
    ("path", "word", "where", "key", "nearest"),
    [
        ("rule.0.test.0.feature", "corners", "AAA-01", "test[0].feature", "corner"),
        ("rule.0.test.0.metric", "along_curb", "AAA-01", "test[0].metric", "along_kerb"),
        ("rule.0.test.0.reference", "kerb_prolongacao", "AAA-01", "test[0].reference", "kerb_prolongation"),
        ("rule.0.test.0.on_breach", "conditonal", "AAA-01", "test[0].on_breach", "conditional"),
        ("rule.0.test.0.when.attribute", "boxes", "AAA-01", "test[0].when.attribute", "box"),
        ("rule.0.test.2.features.1", "tunel", "AAA-01", "test[2].features[1]", "tunnel"),
        ("rule.0.test.3.aspect", "paralell", "AAA-01", "test[3].aspect", "parallel"),
        ("rule.0.sanction.0.class", "gravíssima", "AAA-01", "sanction[0].class", "gravissima"),
        ("rule.0.sanction.0.measures", ["seizures"], "AAA-01", "sanction[0].measures[0]", "seizure"),
        ("rule.1.where.1", "foot_way", "AAA-02", "where[1]", "footway"),
        ("rule.1.test.0.zones.0", "central_zones", "AAA-02", "test[0].zones[0]", "central_zone"),
        ("rule.1.test.0.acts.0", "places", "AAA-02", "test[0].acts[0]", "place"),
        ("rule.1.test.0.restricted.0.days.1", "sundays", "AAA-02", "test[0].restricted[0].days[1]", "sunday"),
        ("rule.1.test.1.term.unit", "busines_days", "AAA-02", "test[1].term.unit", "business_days"),
        ("rule.1.test.1.term.first_day", "exclude", "AAA-02", "test[1].term.first_day", "excluded"),
        ("rule.1.test.2.steps.1.impossible", ["interior"], "AAA-02", "test[2].steps[1].impossible[0]", None),
        ("rule.1.test.3.codes.0", "R6a", "AAA-02", "test[3].codes[0]", "R-6a"),
        ("sanctions.recurrence.scope", "same_offense", "sanctions", "recurrence.scope", "same_offence"),
        ("rulebook.text_status", "completo", "rulebook", "text_status", "complete"),
    ],
)
def test_an_unknown_word_is_named_with_the_nearest_known_one(
    tmp_path: Path, path: str, word: object, where: str, key: str, nearest: str | None
) -> None:
    (found,) = problems_in(tmp_path, norm_with(path, word))
    assert (found.file, found.where, found.key) == ("norma.toml", where, key)
    assert found.message.startswith("deve ser um de: ")
    assert nearest is None or f"quis dizer “{nearest}”?" in found.message
    assert f"veio “{word[0] if isinstance(word, list) else word}”" in found.message


def test_a_word_in_another_language_gets_the_whole_list(tmp_path: Path) -> None:
    (found,) = problems_in(tmp_path, norm_with("rule.0.test.0.feature", "esquinas"))
    assert (found.where, found.key) == ("AAA-01", "test[0].feature")
    assert "corner, " in found.message
    assert "hydrant, " in found.message
    assert "quis dizer" not in found.message


@pytest.mark.parametrize(
    ("kind", "nearest"), [("min_distanse", "min_distance"), ("mindistance", "min_distance"), ("xyz", None)]
)
def test_an_unknown_kind_is_named_with_the_nearest_known_one(
    tmp_path: Path, kind: str, nearest: str | None
) -> None:
    (found,) = problems_in(tmp_path, norm_with("rule.0.test.0.kind", kind))
    assert (found.file, found.where) == ("norma.toml", "AAA-01")
    assert found.key.startswith("test[0]")
    assert "max_stay, " in found.message  # all kinds are listed
    assert (f"quis dizer “{nearest}”?" in found.message) == (nearest is not None)


# Values.


@pytest.mark.parametrize(
    ("path", "value", "where", "key", "told"),
    [
        ("rule.0.test.0.min_m", 500, "AAA-01", "test[0].min_m", "no máximo 200"),
        ("rule.0.test.0.min_m", 5000.0, "AAA-01", "test[0].min_m", "no máximo 200"),
        ("rule.0.test.0.min_m", -5.0, "AAA-01", "test[0].min_m", "maior que 0"),
        ("rule.0.test.0.min_m", 0, "AAA-01", "test[0].min_m", "maior que 0"),
        ("rule.0.test.0.min_m", math.nan, "AAA-01", "test[0].min_m", "número finito"),
        ("rule.0.test.0.min_m", math.inf, "AAA-01", "test[0].min_m", "número finito"),
        ("rule.0.test.0.min_m", "cinco", "AAA-01", "test[0].min_m", "número, sem aspas; veio “cinco”"),
        ("rule.0.test.0.min_m", "5 m", "AAA-01", "test[0].min_m", "número, sem aspas; veio “5 m”"),
        ("rule.0.test.0.min_m", "5,0", "AAA-01", "test[0].min_m", "número, sem aspas; veio “5,0”"),
        ("rule.0.test.0.min_m", [5.0], "AAA-01", "test[0].min_m", "número, sem aspas"),
        ("rule.0.test.0.min_m", dt.date(2020, 1, 1), "AAA-01", "test[0].min_m", "número, sem aspas"),
        ("rule.0.test.0.reading", "Building line", "AAA-01", "test[0].reading", "forma esperada"),
        ("rule.0.test.0.where", [], "AAA-01", "test[0].where", "no mínimo 1 item"),
        ("rule.0.test.2.features", [], "AAA-01", "test[2].features", "no mínimo 1 item"),
        ("rule.0.test.2.features", "bridge", "AAA-01", "test[2].features", "lista, entre colchetes"),
        ("rule.0.test.3.conditional_deg", 91, "AAA-01", "test[3].conditional_deg", "no máximo 90"),
        ("rule.0.test.4.max_m3", 101, "AAA-01", "test[4].max_m3", "no máximo 100"),
        ("rule.0.test.6.before_m", 1000, "AAA-01", "test[6].before_m", "no máximo 200"),
        ("rule.0.test.6.after_m", -1, "AAA-01", "test[6].after_m", "no mínimo 0"),
        ("rule.0.test.5.max_count", 0, "AAA-01", "test[5].max_count", "no mínimo 1"),
        ("rule.0.test.5.max_count", 2.5, "AAA-01", "test[5].max_count", "número inteiro, sem aspas"),
        ("rule.0.law.article", 1, "AAA-01", "law.article", "texto entre aspas; veio “1”"),
        ("rule.0.law.article", "", "AAA-01", "law.article", "no mínimo 1 caractere"),
        ("rule.0.law", "art. 1", "AAA-01", "law", "tabela, com chaves e valores"),
        ("rule.0.title", "", "AAA-01", "title", "no mínimo 1 caractere"),
        ("rule.0.notes", "uma nota", "AAA-01", "notes", "lista, entre colchetes"),
        ("rule.0.test", [], "AAA-01", "test", "no mínimo 1 item"),
        ("rule.0.test", {"kind": "max_stay"}, "AAA-01", "test", "lista, entre colchetes"),
        ("rule.0.id", "gyn-1", "gyn-1", "id", "forma esperada"),
        ("rule.0.id", 7, "rule[0]", "id", "texto entre aspas; veio “7”"),
        ("rule.0", "GYN-01", "rule[0]", "", "tabela, com chaves e valores"),
        ("rule", "nenhuma", "rule", "", "lista, entre colchetes"),
        ("rule", [], "rule", "", "no mínimo 1 item"),
        ("rule.1.test.1.term.limit_days", 0, "AAA-02", "test[1].term.limit_days", "maior que 0"),
        (
            "rule.1.test.1.term.limit_days",
            "5",
            "AAA-02",
            "test[1].term.limit_days",
            "número inteiro, sem aspas",
        ),
        ("rule.1.test.1.term.limit_days", True, "AAA-02", "test[1].term.limit_days", "veio “true”"),
        ("rule.1.test.4.items", "alvará", "AAA-02", "test[4].items", "lista, entre colchetes"),
        ("rule.1.test.4.items.0", 3, "AAA-02", "test[4].items[0]", "texto entre aspas"),
        ("rulebook", "norma", "rulebook", "", "tabela, com chaves e valores"),
        ("rulebook.id", "Norma Nova", "rulebook", "id", "forma esperada"),
        ("rulebook.in_force_from", "ontem", "rulebook", "in_force_from", "uma data, como 2026-05-05"),
        ("rulebook.in_force_from", 2020, "rulebook", "in_force_from", "uma data, como 2026-05-05"),
        ("sanctions.procedure.0.limit_days", -1, "sanctions", "procedure[0].limit_days", "maior que 0"),
        ("sanctions.recurrence.factor", "0.5", "sanctions", "recurrence.factor", "maior que 1"),
        ("sanctions.amounts.0.leve", 20.0, "sanctions", "amounts[0].leve", "entre aspas"),
        ("sanctions.amounts.0.leve", 20, "sanctions", "amounts[0].leve", "entre aspas"),
        ("sanctions.amounts.0.leve", "20,00", "sanctions", "amounts[0].leve", "entre aspas, com ponto"),
        ("sanctions.amounts.0.leve", "R$ 20", "sanctions", "amounts[0].leve", "entre aspas, com ponto"),
        ("sanctions.amounts.0.leve", "20.005", "sanctions", "amounts[0].leve", "decimal"),
        ("sanctions.amounts.0.leve", "-20.00", "sanctions", "amounts[0].leve", "no mínimo 0"),
        ("sanctions.amounts.0.leve", "NaN", "sanctions", "amounts[0].leve", "número finito"),
        ("rule.0.sanction.1.amount_ufm", 10, "AAA-01", "sanction[1].amount_ufm", "entre aspas"),
        (
            "rule.1.test.0.restricted.0.from",
            "7:00",
            "AAA-02",
            "test[0].restricted[0].from",
            "“7:00” não é uma hora",
        ),
        (
            "rule.1.test.0.restricted.0.to",
            "24:01",
            "AAA-02",
            "test[0].restricted[0].to",
            "“24:01” não é uma hora",
        ),
        ("rule.1.test.0.restricted.0.to", 19, "AAA-02", "test[0].restricted[0].to", "“19” não é uma hora"),
    ],
)
def test_a_wrong_value_is_one_problem(
    tmp_path: Path, path: str, value: object, where: str, key: str, told: str
) -> None:
    (found,) = problems_in(tmp_path, norm_with(path, value))
    assert (found.file, found.where, found.key) == ("norma.toml", where, key)
    assert told in found.message
    assert not ENGLISH.search(found.message)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rule.0.test.0.min_m", "5"),
        ("rule.0.test.0.min_m", True),
        ("rule.0.test.0.assumed", 1),
        ("rule.0.test.0.assumed", "yes"),
        ("rule.0.test.1.bands.1.above_m", True),
        ("rule.0.test.3.compliant_deg", "5"),
        ("rule.0.test.4.max_m3", "10"),
        ("rule.0.test.4.max_m3", True),
        ("rule.0.test.5.max_count", "2"),
        ("rule.0.test.5.max_count", True),
        ("rule.0.sanction.0.max_factor", "5"),
        ("rule.1.test.0.issue_h", "48"),
        ("rule.1.test.0.issue_h", True),
        ("rule.1.test.4.validity_years", True),
        ("sanctions.procedure.0.limit_days", "10"),
        ("sanctions.procedure.0.limit_days", True),
        ("sanctions.cumulative", "true"),
        ("sanctions.cumulative", 1),
        ("rulebook.in_force_from", 0),
    ],
)
def test_a_value_of_the_wrong_type_is_not_guessed_at(tmp_path: Path, path: str, value: object) -> None:
    """A number in quotes, `true` for a number, a number for a date: somebody slipped, and it must be said."""
    (found,) = problems_in(tmp_path, norm_with(path, value))
    assert found.key.endswith(path.rsplit(".", maxsplit=1)[-1])
    assert "sem aspas" in found.message


@pytest.mark.parametrize(
    ("path", "where", "key"),
    [
        ("rulebook.text_status", "rulebook", "text_status"),
        ("rulebook.source", "rulebook", "source"),
        ("sanctions.cumulative", "sanctions", "cumulative"),
        ("sanctions.amounts.0.valid_from", "sanctions", "amounts[0].valid_from"),
        ("rule.0.law.article", "AAA-01", "law.article"),
        ("rule.0.law", "AAA-01", "law"),
        ("rule.0.asks", "AAA-01", "asks"),
        ("rule.0.test.0.min_m", "AAA-01", "test[0].min_m"),
        ("rule.0.test.1.bands.1.sanction", "AAA-01", "test[1].bands[1].sanction"),
        ("rule.1.test.0.restricted.0.days", "AAA-02", "test[0].restricted[0].days"),
        ("rule.1.test.2.steps.2.places", "AAA-02", "test[2].steps[2].places"),
        ("rule.1.id", "rule[1]", "id"),
    ],
)
def test_a_missing_key_is_one_problem(tmp_path: Path, path: str, where: str, key: str) -> None:
    raw = copy.deepcopy(NORM)
    *inside, last = path.split(".")
    table: Any = raw
    for step in inside:
        table = table[int(step) if step.isdigit() else step]
    del table[last]
    assert problems_in(tmp_path, raw) == (Problem("norma.toml", where, key, "falta"),)


def test_a_slip_in_the_only_test_of_the_only_rule_is_one_problem(tmp_path: Path) -> None:
    """The list is not said to be empty because its only entry is wrong."""
    raw = norm_with("rule.0.test", [NORM["rule"][0]["test"][0] | {"min_m": 500}])
    raw["rule"] = raw["rule"][:1]
    assert [(each.where, each.key) for each in problems_in(tmp_path, raw)] == [("AAA-01", "test[0].min_m")]


def test_a_value_that_fits_no_member_of_a_union_is_one_problem(tmp_path: Path) -> None:
    (found,) = problems_in(tmp_path, norm_with("rule.0.test.0.when.is", [1.5]))
    assert (found.where, found.key) == ("AAA-01", "test[0].when.is[0]")


def test_all_slips_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    raw = norm_with("rule.0.test.0.min_m", 500)
    raw["rule"][0]["test"][1]["max_m"] = -1
    raw["rule"][1]["titulo"] = "x"
    del raw["rule"][1]["asks"]
    raw["rulebook"]["text_status"] = "bom"
    raw["sanctions"]["amounts"][0]["grave"] = 100.0
    assert {(each.where, each.key) for each in problems_in(tmp_path, raw)} == {
        ("rulebook", "text_status"),
        ("sanctions", "amounts[0].grave"),
        ("AAA-01", "test[0].min_m"),
        ("AAA-01", "test[1].max_m"),
        ("AAA-02", "titulo"),
        ("AAA-02", "asks"),
    }


def test_slips_in_tables_do_not_hide_slips_between_rules(tmp_path: Path) -> None:
    raw = norm_with("rule.0.test.0.min_m", 500)
    raw["rule"][1]["test"][1]["extension"]["rule"] = "AAA-09"
    raw["rulebook"]["id"] = "outra"
    keys = {(each.where, each.key) for each in problems_in(tmp_path, raw)}
    assert keys == {("AAA-01", "test[0].min_m"), ("AAA-02", "test[1].extension.rule"), ("rulebook", "id")}


def test_a_rule_with_an_empty_name_is_named_by_its_number(tmp_path: Path) -> None:
    (found,) = problems_in(tmp_path, norm_with("rule.1.id", ""))
    assert (found.where, found.key) == ("rule[1]", "id")


# Files that are no rulebooks.


def test_an_empty_file_lacks_the_three_tables(tmp_path: Path) -> None:
    expected = tuple(Problem("norma.toml", table, "", "falta") for table in ("rulebook", "sanctions", "rule"))
    assert problems_of_bytes(tmp_path, b"") == expected
    assert problems_of_bytes(tmp_path, b"\n# nada\n") == expected


@pytest.mark.parametrize(
    ("content", "where", "told"),
    [
        (
            b'[rulebook]\nid = "a"\ntitle = Norma\n',
            "linha 3, coluna 9",
            "“title = Norma”: valor não reconhecido",
        ),
        (b'[rulebook]\r\nid = "a"\r\ntitle = Norma\r\n', "linha 3, coluna 9", "textos vão entre aspas"),
        (b"[rulebook]\n[rulebook]\n", "linha 2", "tabela repetida"),
        (b"[rulebook]\nid = 1\nid = 2\n", "linha 3", "chave repetida"),
        (b"[[rule]]\n[[rule.test]\n", "linha 2", "falta “]”"),
        (b'[rulebook]\nid = "a', "", "no fim do arquivo"),
        (b"[rulebook]\nin_force_from = 2023-02-29\n", "linha 2", "data que não existe"),
        (b"\x00\x00\x00", "linha 1", "erro de sintaxe TOML"),
        (b"[rulebook]\nid = '\xe7'\n", "linha 2", "não está em UTF-8"),
        ("[rulebook]".encode("utf-16"), "linha 1", "não está em UTF-8"),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\x00", "linha 1", "erro de sintaxe TOML"),
    ],
)
def test_what_is_no_toml_is_one_problem_with_its_line(
    tmp_path: Path, content: bytes, where: str, told: str
) -> None:
    (found,) = problems_of_bytes(tmp_path, content)
    assert (found.file, found.key) == ("norma.toml", "")
    assert found.where.startswith(where)
    assert told in found.message


@pytest.mark.parametrize(
    "content",
    [
        b"a = " + b"[" * 5_000 + b"]" * 5_000,
        b"a = " + b"{a=" * 5_000 + b"1" + b"}" * 5_000,
        b"rule = " + b"[" * 50_000,
        b".".join([b"a"] * 2_000) + b" = 1",
    ],
    ids=["lists", "tables", "never closed", "dotted key"],
)
def test_deeply_nested_garbage_is_a_problem(tmp_path: Path, content: bytes) -> None:
    (found,) = problems_of_bytes(tmp_path, content)
    assert not ENGLISH.search(found.message)


@pytest.mark.parametrize(
    "number",
    ["9" * 400, "9" * 5_000, "0x" + "f" * 5_000, "1e999", "-" + "9" * 5_000],
    ids=["400 digits", "5,000 digits", "hexadecimal", "float", "negative"],
)
@pytest.mark.parametrize("key", ["min_m", "limit_days", "in_force_from"])
def test_a_number_without_end_is_a_problem(tmp_path: Path, key: str, number: str) -> None:
    text = tomli_w.dumps(NORM)
    changed = re.sub(rf"(?m)^{key} = .*$", f"{key} = {number}", text, count=1)
    assert changed != text
    found = problems_of_bytes(tmp_path, changed.encode())
    assert found
    assert all(len(str(each)) < 300 for each in found)


def test_a_huge_file_is_read(tmp_path: Path) -> None:
    text = tomli_w.dumps(NORM) + "\n# " + "x" * 3_000_000
    assert problems_of_bytes(tmp_path, text.encode()) == ()
    text = tomli_w.dumps(norm_with("rule.0.title", "x" * 3_000_000) | {"sobra": "y" * 1_000_000})
    (found,) = problems_of_bytes(tmp_path, text.encode())
    assert (found.where, found.message) == ("sobra", "chave desconhecida")


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    missing = Problem("nada.toml", "", "", "arquivo não encontrado; confira o caminho")
    assert lint(tmp_path / "nada.toml") == (missing,)
    assert lint(tmp_path / "nem-a-pasta" / "nada.toml") == (missing,)
    folder = tmp_path / "pasta.toml"
    folder.mkdir()
    (found,) = lint(folder)
    assert (found.file, found.where, found.key) == ("pasta.toml", "", "")
    assert "é uma pasta" in found.message
    assert not ENGLISH.search(found.message)


def test_reading_raises_what_linting_returns(tmp_path: Path) -> None:
    found = problems_in(tmp_path, norm_with("rule.0.test.0.min_m", 500))
    with pytest.raises(DataFileError) as caught:
        read_rulebook(tmp_path / "norma.toml")
    assert caught.value.problems == found
    assert str(caught.value) == "\n".join(map(str, found))


# Anything may be wrong.

VALUES: list[Any] = [
    *("", "texto", "GYN-11", "1.00", "07:00", "corner", "kerb", "property", "R-6a"),
    *(True, False, 0, 1, -1, 500, 10**18, 0.5, -0.5, 1e308, math.nan, math.inf, -math.inf),
    *(dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 7, tzinfo=dt.UTC), dt.time(7)),
    *([], [1], ["x"], [[]], [{}], {}, {"kind": "max_stay"}, [{"kind": "kerb"}], {"days": ["sunday"]}),
]
NAMES = ["kind", "id", "min_cm", "where", "class", "rule", "test", "x", "é", "a.b", ""]


def _tables(node: object) -> list[Any]:
    """Return every table and list inside, the outermost first."""
    inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    own = [node] if isinstance(node, dict | list) and node else []
    return own + [each for inner in inside for each in _tables(inner)]


def _mutate(raw: dict[str, Any], data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(_tables(raw)).filter(bool), label="table")
    keys = sorted(table) if isinstance(table, dict) else list(range(len(table)))
    key = data.draw(st.sampled_from(keys), label="key")
    change = data.draw(
        st.sampled_from(["delete", "rename", "value", "minus", "swap", "twice"]), label="change"
    )
    if change == "delete":
        del table[key]
    elif change == "rename" and isinstance(table, dict):
        table[data.draw(st.sampled_from(NAMES), label="name")] = table.pop(key)
    elif change == "minus" and isinstance(table[key], int | float):
        table[key] = -table[key]
    elif change == "swap":
        other = data.draw(st.sampled_from(keys), label="other")
        table[key], table[other] = table[other], table[key]
    elif change == "twice" and isinstance(table, list):
        table.append(table[key])
    else:
        table[key] = data.draw(st.sampled_from(VALUES), label="value")


RAW = {path.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.sampled_from(sorted(RAW)), st.integers(1, 3), st.data())
def test_a_rulebook_with_random_slips_loads_or_says_what_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, name: str, slips: int, data: st.DataObject
) -> None:
    raw = copy.deepcopy(RAW[name])
    for _ in range(slips):
        _mutate(raw, data)
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(tomli_w.dumps(raw), encoding="utf-8")
    for found in lint(path):
        assert found.file == name
        assert found.message
        assert not ENGLISH.search(OTHERS_WORDS.sub("", found.message)), found
        assert "valor não aceito" not in found.message, found
    if not lint(path):
        assert read_rulebook(path).id == path.stem
