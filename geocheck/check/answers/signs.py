"""Signs that somebody saw or the map holds: which codes govern the spot, and whether their hours bind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.check.columns import is_unfit
from geocheck.check.seen import seen_along
from geocheck.law.sign_hours import sign_binds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.model.request import Observation


_TOUCH_M: Final = 0.005

BLOCK_FACE_M: Final = 50.0
"""How far along the kerb one must have looked for signs: they hold up to the next corner (our number)."""


class SignStates(NamedTuple):
    """What signs say of placements, shape (n,) each.

    Attributes:
        state: 1 when no sign of the codes binds, 0 when one does, NaN when unknown.
        by_map: nobody said, and the map's signs answer.
    """

    state: NDArray[np.float64]
    by_map: NDArray[np.bool_]


def sign_states(question: Question, codes: Sequence[str]) -> SignStates:
    """Return whether signs of the codes bind placements.

    A sign without hours binds always. Seeing no sign at all answers for every code. Where nobody said, the
    map's signs count.

    Raises:
        InputError: the hours of a sign cannot be read.
    """
    rows = [
        _state(question, row, [seen for seen in request.observed if seen.layer == "sign"], codes)
        for row, request in enumerate(question.placements.requests)
    ]
    told = np.array(rows, np.float64)
    silent = np.isnan(told)
    return SignStates(np.where(silent, _mapped(question, codes), told), silent)


def _mapped(question: Question, codes: Sequence[str]) -> NDArray[np.float64]:
    """Return the same by the map: a stretch binds whom it touches; how far a mere post holds is not known."""
    seen = seen_along(question, "sign", BLOCK_FACE_M)
    sight, n = question.sight, len(question.placements)
    layer = None if sight is None else sight.layer("sign")
    if seen is None or sight is None or layer is None:
        return np.full(n, np.nan)
    rows = seen.rows
    state = np.where(seen.covered, 1.0, np.nan)
    code, hours = layer.attribute("code"), layer.attribute("hours")
    length = sight.lengths_m("sign", rows)
    for each in np.argsort(rows.value_m, kind="stable")[::-1].tolist():
        row, feature, value, u = (
            int(rows.placement[each]),
            int(rows.feature[each]),
            float(rows.value_m[each]),
            max(float(rows.u_m[each]), _TOUCH_M),
        )
        if state[row] == 0:
            continue
        if feature < 0 or code[feature] is None:
            near = value <= u if feature < 0 else value <= BLOCK_FACE_M + u
            state[row] = np.nan if near else state[row]
        elif code[feature] in codes:
            bound = _binding(question, row, hours[feature])
            stretch = length[each] > 0
            if bound is not False and value <= (u if stretch else BLOCK_FACE_M + u):
                sure = bound and stretch and value < -u and rows.side_known[each] and not seen.soft[each]
                state[row] = 0.0 if sure else np.nan
    return state


def _state(question: Question, row: int, signs: Sequence[Observation], codes: Sequence[str]) -> float:
    present = [seen for seen in signs if seen.state == "present" and _code(seen) in codes]
    when = question.test.when
    bound = [_binds(question, row, seen) for seen in present if when is None or not is_unfit(seen, when)]
    if True in bound:
        return 0.0
    if None in bound:
        return np.nan
    unread = any(seen.state == "present" and _code(seen) is None for seen in signs)
    seen_none = {_code(seen) for seen in signs if seen.state == "none" and _answers(seen)}
    # A sign that is there but never binds during the stay answers for its own code only.
    if unread:
        seen_none.discard(None)
    answered = {_code(seen) for seen in present} | seen_none
    return 1.0 if None in seen_none or set(codes) <= answered else np.nan


def _answers(seen: Observation) -> bool:
    """Whether seeing no sign tells that none governs the spot: said of a code, of here, or of a block."""
    return seen.attributes.code is not None or seen.reach_m == 0 or seen.reach_m >= BLOCK_FACE_M


def _code(seen: Observation) -> str | None:
    return seen.attributes.code


def _binds(question: Question, row: int, seen: Observation) -> bool | None:
    return _binding(question, row, seen.attributes.hours)


def _binding(question: Question, row: int, hours: str | None) -> bool | None:
    if hours is None:
        return True
    placements = question.placements
    start, end = placements.start[row].item(), placements.end[row].item()
    return sign_binds(hours, start, end, question.calendar, "observed.attributes.hours")
