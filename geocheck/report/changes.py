"""What changed between two reports of one placement: the law, the map, the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geocheck.model.words import Outcome, Verdict
from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import BundleLayer, Report


def changes_between(old: Report, new: Report) -> list[str]:
    """Return pt-BR lines that say what changed; none where nothing did."""
    return [*_law(old, new), *_map(old, new), *_answer(old, new)]


def _said(outcome: str) -> str:
    return wording.OUTCOMES[Outcome[outcome.upper()]]


def _law(old: Report, new: Report) -> Iterator[str]:
    before = {book.id: book for book in old.rulebooks}
    after = {book.id: book for book in new.rulebooks}
    for name in sorted(before.keys() - after.keys()):
        yield f"lei: {before[name].title} não se aplica mais"
    for name in sorted(after.keys() - before.keys()):
        yield f"lei: {after[name].title} passou a aplicar-se"
    for name in sorted(before.keys() & after.keys()):
        if before[name].sha256 != after[name].sha256:
            short = _short(before[name].sha256, after[name].sha256)
            yield f"lei: {after[name].title} foi alterada no programa ({short})"
        if before[name].status != after[name].status:
            yield f"lei: {after[name].title} mudou de situação"


def _map(old: Report, new: Report) -> Iterator[str]:
    one, two = old.bundle, new.bundle
    if one is None or two is None:
        if one is not two:
            yield "mapa: " + ("antes não havia mapa" if one is None else "agora não há mapa")
        return
    if one.sha256 == two.sha256:
        return
    yield f"mapa: outro pacote ({_short(one.sha256, two.sha256)}), montado em {two.built_at[:10]}"
    before = {layer.name: layer for layer in one.layers}
    after = {layer.name: layer for layer in two.layers}
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"mapa: camada {wording.LAYERS[name]}: {_layer(before, name)} → {_layer(after, name)}"


def _layer(layers: Mapping[str, BundleLayer], name: str) -> str:
    layer = layers.get(name)
    if layer is None:
        return "sem camada"
    date = f", de {layer.date}" if layer.date else ""
    return f"{layer.features} feições, ± {wording.metres(layer.accuracy_m or 0.0)}{date}"


def _answer(old: Report, new: Report) -> Iterator[str]:
    if old.verdict != new.verdict:
        yield f"resposta: {wording.VERDICTS[Verdict(old.verdict)]} → {wording.VERDICTS[Verdict(new.verdict)]}"
    before = {_key(finding): finding for finding in (*old.findings, *old.second_opinion)}
    for finding in (*new.findings, *new.second_opinion):
        was = before.pop(_key(finding), None)
        if was is None:
            yield f"{finding.rule}: nova regra, {_said(finding.outcome)}"
        elif was.outcome != finding.outcome:
            yield f"{finding.rule} ({finding.title}): {_said(was.outcome)} → {_said(finding.outcome)}"
        elif _moved(was, finding):
            yield f"{finding.rule} ({finding.title}): {_metres(was)} → {_metres(finding)}"
    for was in before.values():
        yield f"{was.rule}: a regra não se aplica mais (era {_said(was.outcome)})"


def _moved(was: FindingReport, now: FindingReport) -> bool:
    """Whether the value that is shown is another, to the centimetre."""
    return _metres(was) != _metres(now)


def _metres(finding: FindingReport) -> str:
    value = finding.measured_m
    return "sem valor" if value is None else f"{wording.number(value)} m"


def _key(finding: FindingReport) -> tuple[str, str]:
    return finding.rulebook, finding.rule


def _short(one: str, two: str) -> str:
    return f"{one[:8]} → {two[:8]}"
