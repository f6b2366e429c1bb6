"""pt-BR words for what to look for, measure or tell to settle a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.check.judge import KNOWN
from geocheck.law import kinds
from geocheck.report import wording
from geocheck.report.seen_words import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from geocheck.check.evidence import Ask, Evidence
    from geocheck.law.kinds import BaseTest


_QUESTIONS: Final = ("se ", "quantas ")
_TO_DO: Final = ("ver ", "saber ")


def look_for(test: BaseTest, ask: Ask) -> str:
    """Say what to look for to settle a test.

    Args:
        test: as in the law.
        ask: of a column of it, with a layer.
    """
    if isinstance(test, kinds.SignRestriction):
        return f"ver se há placa {wording.either(test.codes)} na quadra, e com que horário"
    if isinstance(test, kinds.FrontageContainment):
        return "ver se a caçamba inteira fica diante do imóvel atendido"
    before, after = _around(test, ask)
    return f"{before}{wording.LAYERS[ask.layer or '']}{after}"


def _around(test: BaseTest, ask: Ask) -> tuple[str, str]:
    """Return the words before and after the name of what is looked for."""
    if "bounds_median" in ask.keys:
        return "ver se a guia junto à caçamba é a de ", ""
    if ask.reach_m:
        ahead = " à frente (no sentido do trânsito)" if _upstream(test) else ""
        return "ver se há ", f"{ahead} até {wording.metres(ask.reach_m)}"
    in_front = isinstance(test, kinds.FrontageExclusion) or ask.layer == "mouth"
    return f"ver se a caçamba fica {'diante de' if in_front else 'sobre'} ", ""


def _upstream(test: BaseTest) -> bool:
    return isinstance(test, kinds.UnquantifiedProximity) and test.side == "upstream"


def settles(column: Evidence, row: int) -> str:
    """Say what to measure, look for or tell that would settle a test (`medir a distância até a esquina`)."""
    ask = column.ask
    if ask is None or not (ask.keys or ask.layer):
        return "obter o ato que fixa os horários"
    if ask.action == "look" and ask.layer is not None:
        return look_for(column.question.test, ask)
    verb = "medir" if ask.action == "measure" else "informar"
    return f"{verb} {wording.joined([wording.key_name(key) for key in open_keys(column, row)])}"


def open_keys(column: Evidence, row: int) -> tuple[str, ...]:
    """Return the keys that would settle a test: of two neighbours that which the map shows."""
    ask = column.ask
    if ask is None:
        return ()
    given = column.question.placements.requests[row].measured
    keys = tuple(key for key in ask.keys if key not in given)
    found = shown(column, row)
    if found is None or found.upstream == 0 or not int(column.flags[row]) & KNOWN:
        return keys
    side = "_before_m" if found.upstream > 0 else "_after_m"
    return tuple(key for key in keys if key.endswith(side)) or keys


def told(text: str) -> str:
    """Turn what is to be done into a request (`ver se` → `veja se`)."""
    for verb, command in (("ver ", "veja "), ("medir ", "meça "), ("informar ", "informe ")):
        if text.startswith(verb):
            return command + text.removeprefix(verb)
    return text


def missing(columns: Sequence[Evidence], row: int) -> str:
    """Say what is missing to know a rule, given its open columns (`falta ver se há hidrante até 5 m`)."""
    parts = _wanted(columns, row)
    # What is to be done takes the singular, however much of it.
    things = sum(not part.startswith(_TO_DO) for part in parts)
    return f"{'faltam' if things > 1 else 'falta'} {wording.joined(parts)}"


def _wanted(columns: Sequence[Evidence], row: int) -> list[str]:
    """Return what is missing to know a rule: things to look for in one place joined."""
    looks: dict[tuple[str, str], list[str]] = {}
    codes: list[str] = []
    keys: list[str] = []
    whole: list[str] = []
    for column in columns:
        test, ask = column.question.test, column.ask
        if ask is None or not (ask.keys or ask.layer):
            whole.append("o ato que fixa os horários")
        elif isinstance(test, kinds.SignRestriction):
            codes += test.codes
        elif ask.action != "look" or ask.layer is None:
            keys += open_keys(column, row)
        elif isinstance(test, kinds.FrontageContainment):
            whole.append(look_for(test, ask))
        elif ask.reach_m or not _seen_farther(ask, columns):
            looks.setdefault(_around(test, ask), []).append(wording.LAYERS[ask.layer])
    return list(_parts(looks, codes, [*whole, *map(wording.key_name, dict.fromkeys(keys))]))


def _seen_farther(ask: Ask, columns: Sequence[Evidence]) -> bool:
    """Whether looking farther for another column answers this one as well."""
    others = [column.ask for column in columns if column.ask is not None]
    return any(other.action == "look" and other.layer == ask.layer and other.reach_m for other in others)


def _parts(looks: dict[tuple[str, str], list[str]], codes: list[str], rest: list[str]) -> Iterator[str]:
    for (before, after), names in looks.items():
        yield f"{before}{wording.either(list(dict.fromkeys(names)))}{after}"
    if codes:
        yield f"ver se há placa {wording.either(sorted(set(codes)))} na quadra, e com que horário"
    yield from dict.fromkeys(f"saber {each}" if each.startswith(_QUESTIONS) else each for each in rest)
