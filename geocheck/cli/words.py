"""Reads the small words of the command line: `gap_m=0,30`, `hydrant=none,reach_m=5`, `não`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_YES: Final = {"yes", "sim", "s", "y", "true", "1"}
_NO: Final = {"no", "não", "nao", "n", "false", "0"}


def number(text: str, field: str) -> float:
    """Read a number with a decimal point or comma.

    Raises:
        InputError: it is no number.
    """
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise InputError(field, f"“{text}” não é um número; escreva, por exemplo, 0.30") from None


def yes_or_no(text: str, field: str) -> bool:
    """Read `sim`/`não` or `yes`/`no`.

    Raises:
        InputError: it is neither.
    """
    word = text.strip().casefold()
    if word not in _YES | _NO:
        raise InputError(field, f"“{text}” não é sim nem não; escreva {field}=yes ou {field}=no")
    return word in _YES


def pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """Read `KEY=VALUE` options, each key once.

    Raises:
        InputError: there is no `=`, or a key comes twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InputError(option, f"“{text}” não tem a forma CHAVE=VALOR")
        if key.strip() in found:
            raise InputError(option, f"“{key.strip()}” veio duas vezes; deixe uma")
        found[key.strip()] = value.strip()
    return found


def observation(text: str) -> dict[str, Any]:
    """Read `LAYER=none|present[,reach_m=5][,ATTRIBUTE=VALUE]…` as an observation of the request.

    Raises:
        InputError: a part has no `=`.
    """
    head, *rest = _parts(text)
    layer, _, state = head.partition("=")
    seen: dict[str, Any] = {"layer": layer.strip(), "state": state.strip(), "attributes": {}}
    for part in rest:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError("--observed", f"“{part}” não tem a forma CHAVE=VALOR (em “{text}”)")
        if key == "reach_m":
            seen["reach_m"] = number(value, "reach_m")
        elif key in ("by", "at", "note"):
            seen[key] = value
        else:
            seen["attributes"][key] = _value(value)
    return seen


def _parts(text: str) -> list[str]:
    """Split at commas, but not at a decimal comma or inside the hours of a sign."""
    parts: list[str] = []
    for piece in text.split(","):
        if parts and "=" not in piece:
            parts[-1] += f",{piece}"
        else:
            parts.append(piece)
    return parts


def _value(text: str) -> bool | int | str:
    word = text.casefold()
    if word.isdecimal():
        return int(word)
    if word in _YES | _NO:
        return word in _YES
    return text
