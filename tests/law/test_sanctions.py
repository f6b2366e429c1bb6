"""Sanctions: amounts by date, index and fiscal unit; absorbed, summed, repeated; dates of the procedure."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.cities import load_city
from geocheck.errors import DataFileError
from geocheck.law.calendar import calendar_of
from geocheck.law.load import load_rulebook
from geocheck.law.penalties import Breach, PenaltySummary, penalty_summary
from geocheck.law.procedure import MOVED_NOTE, SILENT_NOTE, procedure_deadlines
from geocheck.law.rulebook import Rulebook
from geocheck.law.sanction_inputs import SanctionInputs, read_sanction_inputs
from geocheck.law.sanctions import amount_of
from geocheck.law.tables import Sanction
from geocheck.model.words import Place

if TYPE_CHECKING:
    from pathlib import Path

IN_FORCE, TODAY = date(2005, 3, 1), date(2026, 11, 30)

CLASSES_2004 = {
    "valid_from": date(2004, 2, 12),
    "leve": "20.00",
    "media": "50.00",
    "grave": "100.00",
    "gravissima": "200.00",
    "source": "Art. 24",
}
IPCA_E = {"index": "IPCA-E", "period": "anual", "first_on": date(2005, 1, 1), "locator": "Art. 38"}


def book(header: dict[str, Any] | None = None, **tables: Any) -> Rulebook:  # noqa: ANN401 (TOML)
    """Return a rulebook of one rule, with the header and sanction tables given over sensible ones."""
    raw = {
        "rulebook": {
            "id": "norma",
            "series": "norma",
            "city": "cidade",
            "title": "Norma",
            "short_title": "Norma",
            "source": "teste",
            "text_status": "complete",
            "in_force_from": date(2004, 2, 12),
            **(header or {}),
        },
        "sanctions": {"amounts": [CLASSES_2004], "cumulative": True, **tables},
        "rule": [
            {
                "id": "AAA-01",
                "title": "Dever",
                "asks": "Cumprir.",
                "law": {"article": "1"},
                "test": [{"kind": "conduct_duty", "items": ["cumprir"]}],
            }
        ],
    }
    return Rulebook.model_validate(raw)


def sanction(**fields: Any) -> Sanction:  # noqa: ANN401 (TOML)
    return Sanction.model_validate(fields)


def breach(rule: str, **fields: Any) -> Breach:  # noqa: ANN401 (TOML)
    return Breach(rule, sanction(**fields))


def in_force_brl(summary: PenaltySummary) -> Decimal:
    return summary.in_force.first.brl


# Amounts.


def test_class_is_nominal_until_the_index_is_supplied() -> None:
    amount = amount_of(sanction(**{"class": "grave"}), book(indexation=IPCA_E), IN_FORCE)
    assert (amount.brl, amount.to_brl, amount.ufm) == (Decimal("100.00"), None, None)
    assert amount.nominal
    assert amount.in_summary
    assert amount.label == "valor nominal de 2004, sem correção pelo IPCA-E"


def test_before_the_first_correction_nothing_is_missing() -> None:
    amount = amount_of(sanction(**{"class": "grave"}), book(indexation=IPCA_E), date(2004, 12, 31))
    assert not amount.nominal
    assert amount.label == "valor de 2004"


@pytest.mark.parametrize(
    ("factors", "expected", "nominal"),
    [
        ({"2005-01-01": "1.07605"}, "215.21", False),
        ({"2005-01-01": "1.0754", "2006-01-01": "1.5"}, "215.08", False),
        ({"2005-03-01": "1.1"}, "220.00", False),
        ({"2005-03-02": "1.1"}, "200.00", True),
        ({"2004-02-11": "1.1"}, "200.00", True),
        ({"2004-06-01": "1.01", "2005-02-01": "1.03"}, "206.00", False),
    ],
    ids=["factor", "later one waits", "same day", "next day", "older than the amounts", "latest one"],
)
def test_index_factor_in_force_on_the_day(factors: dict[str, str], expected: str, nominal: bool) -> None:  # noqa: FBT001
    index = [{"name": "ipca-e", "valid_from": day, "factor": factor} for day, factor in factors.items()]
    inputs = SanctionInputs.model_validate({"index": index})
    amount = amount_of(sanction(**{"class": "gravissima"}), book(indexation=IPCA_E), IN_FORCE, inputs)
    assert amount.brl == Decimal(expected)
    assert amount.nominal is nominal


def test_corrected_amount_is_rounded_half_up_and_names_its_factor() -> None:
    inputs = SanctionInputs.model_validate(
        {"index": [{"name": "IPCA-E", "valid_from": "2005-01-01", "factor": "1.00025"}]}
    )
    amount = amount_of(sanction(**{"class": "leve"}), book(indexation=IPCA_E), IN_FORCE, inputs)
    assert amount.brl == Decimal("20.01")  # 20.005
    assert amount.label == "valor de 2004, corrigido pelo IPCA-E (fator de 01/01/2005)"


def test_later_table_of_amounts_replaces_an_earlier_one() -> None:
    later = CLASSES_2004 | {"valid_from": date(2010, 1, 1), "grave": "150.00"}
    del later["media"]
    tables = book(amounts=[later, CLASSES_2004])
    grave, media = sanction(**{"class": "grave"}), sanction(**{"class": "media"})
    assert amount_of(grave, tables, date(2009, 12, 31)).brl == Decimal("100.00")
    assert amount_of(grave, tables, date(2010, 1, 1)).brl == Decimal("150.00")
    assert amount_of(media, tables, date(2010, 1, 1)).brl == Decimal("50.00")


def test_before_any_table_the_amount_is_unknown() -> None:
    amount = amount_of(sanction(**{"class": "grave"}), book({"in_force_from": None}), date(2004, 2, 11))
    assert amount.brl is None
    assert amount.standing == "unknown"


def test_revoked_book_is_labelled_and_not_brought_up_to_date() -> None:
    revoked = book({"in_force_to": date(2012, 6, 3), "revoked_by": "outra"}, indexation=IPCA_E)
    index = [{"name": "IPCA-E", "valid_from": "2012-01-01", "factor": "2"}]
    inputs = SanctionInputs.model_validate({"index": index})
    grave = sanction(**{"class": "grave"})
    last = amount_of(grave, revoked, date(2012, 6, 3), inputs)
    after = amount_of(grave, revoked, date(2012, 6, 4), inputs)
    assert (last.brl, last.in_summary) == (Decimal("200.00"), True)
    assert (after.brl, after.in_summary, after.nominal) == (Decimal("100.00"), False, True)
    assert after.label == "valor de 2004, norma revogada"


def test_book_not_yet_in_force_stays_out() -> None:
    amount = amount_of(sanction(amount_brl="10.00"), book(), date(2004, 2, 11))
    assert (amount.standing, amount.label) == (
        "not_yet_in_force",
        "valor fixado na norma, norma ainda não vigente",
    )


def test_range_and_factor_give_the_upper_end() -> None:
    ranged = amount_of(sanction(amount_brl="81.35", amount_to_brl="488.10"), book(), TODAY)
    assert (ranged.brl, ranged.to_brl) == (Decimal("81.35"), Decimal("488.10"))
    aggravated = amount_of(sanction(**{"class": "gravissima", "max_factor": 5}), book(), TODAY)
    assert (aggravated.brl, aggravated.to_brl) == (Decimal("200.00"), Decimal("1000.00"))
    assert aggravated.label == "valor de 2004; até 5 vezes, a critério da autoridade"


def test_uncertain_class_of_the_federal_code_is_an_analogy() -> None:
    analogy = sanction(**{"class": "grave", "certain": False})
    federal = amount_of(analogy, book({"city": None}), TODAY)
    assert (federal.brl, federal.in_summary) == (None, False)  # a vehicle's fine is never shown in reais
    assert federal.label == "por analogia; não é multa aplicada à caçamba"
    assert (
        amount_of(analogy, book({"city": None, "in_force_from": None}), date(2000, 1, 1)).standing
        == "analogy"
    )
    own = amount_of(analogy, book(), TODAY)
    assert (own.standing, own.label) == ("arguable", "valor de 2004; enquadramento discutível")


def test_duty_without_penalty_and_amount_that_nobody_knows() -> None:
    assert amount_of(sanction(untypified=True), book(), TODAY).standing == "untypified"
    assert amount_of(sanction(), book(), TODAY).label == "a norma carregada não traz o valor"


UFM_BOOK: dict[str, Any] = {"fiscal_unit": {"name": "UFM"}, "cumulative": False}


def test_units_need_a_dated_value_of_the_same_city() -> None:
    ten = sanction(amount_ufm="10")
    other_city = SanctionInputs.model_validate(
        {"ufm": [{"city": "x", "valid_from": "2020-01-01", "brl": "9"}]}
    )
    amount = amount_of(ten, book(**UFM_BOOK), TODAY, other_city)
    assert (amount.brl, amount.ufm, amount.in_summary) == (None, Decimal(10), True)
    assert amount.label == "10 UFM (valor da UFM não informado)"


def test_units_take_the_latest_value_on_the_day() -> None:
    values = {"2025-01-01": "4.1", "2026-01-01": "4.3255", "2027-01-01": "5"}
    ufm = [{"city": "cidade", "valid_from": day, "brl": brl} for day, brl in values.items()]
    amount = amount_of(
        sanction(amount_ufm="10"), book(**UFM_BOOK), TODAY, SanctionInputs.model_validate({"ufm": ufm})
    )
    assert (amount.brl, amount.ufm) == (Decimal("43.26"), Decimal(10))  # 43.255
    assert amount.label == "10 UFM (UFM de 01/01/2026: R$ 4,3255)"


def test_units_of_a_revoked_book_are_not_turned_into_reais() -> None:
    revoked = {"in_force_to": date(2012, 6, 3), "revoked_by": "outra"}
    ufm = [{"city": "cidade", "valid_from": "2012-01-01", "brl": "4.1"}]
    inputs = SanctionInputs.model_validate({"ufm": ufm})
    amount = amount_of(sanction(amount_ufm="2.5"), book(revoked, **UFM_BOOK), date(2012, 6, 4), inputs)
    assert (amount.brl, amount.standing, amount.label) == (None, "revoked", "2,5 UFM, norma revogada")


# Sums.

PLUS_20 = {"factor": "1.20", "scope": "same_offence"}
REVOKED = {"in_force_to": date(2012, 6, 3), "revoked_by": "outra"}
TWO_GRAVE = [breach("AAA-01", **{"class": "grave"}), breach("AAA-02", **{"class": "grave"})]


@pytest.mark.parametrize("day", [IN_FORCE, TODAY], ids=["in force", "revoked"])
def test_vector_4_with_the_real_rulebook(day: date) -> None:
    goiania = load_rulebook("goiania-decreto-286-2004").book
    rules = {rule.id: rule for rule in goiania.rule}
    breaches = [
        Breach(
            "GYN-11", rules["GYN-11"].sanction_for(Place.CARRIAGEWAY, None, frozenset())
        ),  # 3 m from the corner
        Breach("GYN-10", rules["GYN-10"].sanction_for(Place.CARRIAGEWAY, "II", frozenset())),  # gap 0.60 m
    ]
    summary = penalty_summary(breaches, goiania, day)
    with_sums, empty = summary.in_force, summary.revoked
    if day == TODAY:
        with_sums, empty = empty, with_sums
    assert with_sums.repeated is not None
    assert (with_sums.first.brl, with_sums.repeated.brl) == (Decimal("200.00"), Decimal("240.00"))
    assert empty.first.brl == 0
    assert empty.repeated is not None
    assert empty.repeated.brl == 0
    assert {fine.rule for fine in summary.fines} == {"GYN-10", "GYN-11"}


def test_notes_say_nominal_in_force_and_revoked_after() -> None:
    tables: dict[str, Any] = {
        "indexation": IPCA_E,
        "recurrence": PLUS_20,
        "cumulative_locator": "Art. 21, § 1º",
    }
    before = penalty_summary(TWO_GRAVE, book(REVOKED, **tables), IN_FORCE).notes
    after = penalty_summary(TWO_GRAVE, book(REVOKED, **tables), TODAY).notes
    summed = "as multas de infrações distintas se somam (Art. 21, § 1º)"
    repeated = "reincidência na mesma infração: mais 20 %; a norma não define prazo, por isso os dois valores"
    nominal = "valores nominais, sem correção pelo IPCA-E: falta a tabela do índice"
    revoked = "norma revogada: os valores são os dela e não se somam aos de norma vigente"
    assert before == (summed, nominal, repeated)
    assert after == (summed, revoked, repeated)


def test_absorbed_only_by_a_rule_that_is_itself_breached() -> None:
    corner = breach("AAA-11", **{"class": "grave", "displaced_by": ["AAA-12"]})
    crossing = breach("AAA-12", **{"class": "gravissima"})
    assert in_force_brl(penalty_summary([corner], book(), TODAY)) == Decimal("100.00")
    both = penalty_summary([corner, crossing], book(), TODAY)
    assert in_force_brl(both) == Decimal("200.00")
    assert [(left.rule, left.reason) for left in both.left_out] == [("AAA-11", "absorvida por AAA-12")]


def test_a_breach_without_sanction_still_absorbs() -> None:
    corner = breach("AAA-11", **{"class": "grave", "displaced_by": ["AAA-12"]})
    summary = penalty_summary([corner, Breach("AAA-12", None)], book(), TODAY)
    assert in_force_brl(summary) == 0
    assert {left.rule for left in summary.left_out} == {"AAA-11", "AAA-12"}


def test_the_same_sanction_of_a_rule_counts_once() -> None:
    assert in_force_brl(penalty_summary([TWO_GRAVE[0], TWO_GRAVE[0]], book(), TODAY)) == Decimal("100.00")


def test_not_cumulative_shows_the_largest() -> None:
    breaches = [breach("AAA-01", **{"class": "media"}), breach("AAA-02", **{"class": "grave"})]
    summary = penalty_summary(breaches, book(cumulative=False), TODAY)
    assert in_force_brl(summary) == Decimal("100.00")
    assert [left.rule for left in summary.left_out] == ["AAA-01"]


def test_what_is_no_certain_fine_stays_out_with_its_reason() -> None:
    breaches = [
        TWO_GRAVE[0],
        breach("AAA-03", **{"class": "grave", "certain": False}),
        breach("AAA-04", untypified=True),
        breach("AAA-05"),
    ]
    summary = penalty_summary(breaches, book(), TODAY)
    assert in_force_brl(summary) == Decimal("100.00")
    assert [(left.rule, left.reason) for left in summary.left_out] == [
        ("AAA-03", "valor de 2004; enquadramento discutível"),
        ("AAA-04", "dever sem penalidade prevista na norma"),
        ("AAA-05", "a norma carregada não traz o valor"),
    ]


def test_ranges_are_summed_by_their_ends() -> None:
    breaches = [TWO_GRAVE[0], breach("AAA-17", amount_brl="81.35", amount_to_brl="488.10")]
    first = penalty_summary(breaches, book(), TODAY).in_force.first
    assert (first.brl, first.to_brl) == (Decimal("181.35"), Decimal("588.10"))


def test_recurrence_is_rounded_fine_by_fine() -> None:
    breaches = [breach("AAA-01", amount_brl="0.02"), breach("AAA-02", amount_brl="0.02")]
    recurrence = {"factor": "1.25", "scope": "any_offence", "look_back_years": 2}
    summary = penalty_summary(breaches, book(recurrence=recurrence), TODAY)
    assert summary.in_force.repeated is not None
    assert summary.in_force.repeated.brl == Decimal("0.06")  # twice 0.025, each a centavo up
    assert summary.notes[-1] == "reincidência em qualquer infração dentro de 2 anos: mais 25 %"


def test_recurrence_of_olinda_doubles_within_a_year() -> None:
    olinda = load_rulebook("olinda-lei-5474-2005").book
    inlet = next(rule for rule in olinda.rule if rule.id == "OLD-07").sanction_for(
        Place.CARRIAGEWAY, None, frozenset()
    )
    summary = penalty_summary([Breach("OLD-07", inlet)], olinda, TODAY)
    assert summary.in_force.repeated is not None
    assert (in_force_brl(summary), summary.in_force.repeated.brl) == (Decimal("60.00"), Decimal("120.00"))
    assert summary.notes[-1] == "reincidência na mesma infração dentro de 1 ano: em dobro"


def test_no_recurrence_table_no_second_sum() -> None:
    assert penalty_summary(TWO_GRAVE, book(), TODAY).in_force.repeated is None


def test_units_without_a_value_are_summed_apart() -> None:
    fine = breach("AAA-01", amount_ufm="10")
    summary = penalty_summary([fine], book(**UFM_BOOK), TODAY)
    assert (summary.in_force.first.brl, summary.in_force.first.ufm) == (Decimal("0.00"), Decimal(10))
    assert summary.notes == ("falta o valor da UFM para passar a reais",)


# The user's tables.


def test_inputs_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "valores.toml"
    path.write_text(
        '[[ufm]]\ncity = "dois-vizinhos"\nvalid_from = 2026-01-01\nbrl = "4.3255"\n'
        '[[index]]\nname = "IPCA-E"\nvalid_from = 2005-01-01\nfactor = "1.0754"\n',
        encoding="utf-8",
    )
    inputs = read_sanction_inputs(path)
    value = inputs.unit_on("dois-vizinhos", TODAY)
    assert value is not None
    assert value.brl == Decimal("4.3255")
    assert inputs.unit_on("dois-vizinhos", date(2025, 12, 31)) is None
    assert inputs.index[0].factor == Decimal("1.0754")


def test_wrong_inputs_are_all_named(tmp_path: Path) -> None:
    path = tmp_path / "valores.toml"
    path.write_text(
        '[[ufm]]\ncity = "x"\nvalid_from = 2026-01-01\nbrl = 4.32\n'
        '[[index]]\nname = "IPCA"\nvalid_from = 2005-01-01\nfactr = "1"\n',
        encoding="utf-8",
    )
    with pytest.raises(DataFileError) as caught:
        read_sanction_inputs(path)
    problems = {(problem.where, problem.key) for problem in caught.value.problems}
    assert problems == {("ufm 1", "brl"), ("index 1", "factor"), ("index 1", "factr")}
    assert "entre aspas" in str(caught.value)


def test_two_values_for_one_day_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "valores.toml"
    entry = '[[index]]\nname = "{}"\nvalid_from = 2005-01-01\nfactor = "1.1"\n'
    path.write_text(entry.format("IPCA-E") + entry.format("ipca-e"), encoding="utf-8")
    with pytest.raises(DataFileError, match="dois valores para o mesmo dia: ipca-e em 01/01/2005"):
        read_sanction_inputs(path)


# Procedure.


def term(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 (TOML)
    row = {
        "act": "defence",
        "limit_days": 10,
        "day_type": "calendar",
        "start": "notification",
        "locator": "Art. 32",
    }
    return row | fields


@pytest.mark.parametrize(
    ("fields", "on", "last", "moved"),
    [
        ({}, date(2026, 8, 3), date(2026, 8, 13), False),  # Monday + 10 = Thursday
        ({}, date(2026, 8, 5), date(2026, 8, 17), True),  # 15 Aug is a Saturday
        ({}, date(2026, 11, 10), date(2026, 11, 23), True),  # 20 Nov is a Friday holiday
        ({"limit_days": 5, "day_type": "business"}, date(2026, 8, 7), date(2026, 8, 14), False),
        ({"limit_days": 1, "day_type": "business"}, date(2026, 8, 8), date(2026, 8, 10), False),
        ({"limit_days": 5, "day_type": "business"}, date(2026, 11, 16), date(2026, 11, 24), False),
    ],
    ids=["calendar", "to Monday", "holiday and weekend", "business", "from a Saturday", "over a holiday"],
)
def test_deadlines(fields: dict[str, Any], on: date, last: date, moved: bool) -> None:  # noqa: FBT001
    calendar = calendar_of(load_city("goiania"))
    (found,) = procedure_deadlines(book(procedure=[term(**fields)]), "notification", on, calendar)
    assert (found.last_day, found.moved) == (last, moved)
    assert (MOVED_NOTE in found.notes) is moved


def test_deadlines_of_other_events_are_left_out_and_order_is_kept() -> None:
    rows = [term(act="payment", limit_days=15), term(start="decision"), term(text_silent_on_day_type=True)]
    calendar = calendar_of(load_city("goiania"))
    found = procedure_deadlines(book(procedure=rows), "notification", date(2026, 8, 3), calendar)
    assert [(each.act, each.last_day) for each in found] == [
        ("payment", date(2026, 8, 18)),
        ("defence", date(2026, 8, 13)),
    ]
    assert SILENT_NOTE not in found[0].notes
    assert SILENT_NOTE in found[1].notes


def test_doubtful_last_day_and_unverified_year_are_said() -> None:
    calendar = calendar_of(load_city("goiania"))
    rows = [term()]
    # 28 October is a ponto facultativo: a business day, but the office may be closed.
    (doubtful,) = procedure_deadlines(book(procedure=rows), "notification", date(2026, 10, 18), calendar)
    assert doubtful.last_day == date(2026, 10, 28)
    assert any("28/10/2026" in note and "expediente" in note for note in doubtful.notes)
    (late,) = procedure_deadlines(book(procedure=rows), "notification", date(2031, 8, 4), calendar)
    assert late.last_day == date(2031, 8, 14)
    assert "os feriados de 2031 não foram conferidos" in late.notes


def test_deadline_outside_the_calendar_is_refused() -> None:
    calendar = calendar_of(load_city("goiania"))
    with pytest.raises(ValueError, match="must lie in"):
        procedure_deadlines(book(procedure=[term()]), "notification", date(2102, 12, 30), calendar)
