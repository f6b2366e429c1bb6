"""What is declared of a municipal file: in a TOML beside it or named for it, and by options, which win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import Field, StrictBool, StrictInt, ValidationError, WrapValidator

from geocheck.cities import Text
from geocheck.city.layers.attributes import COMMON
from geocheck.city.layers.table import LAYER_KINDS
from geocheck.city.layers.values import UNKNOWN, set_value
from geocheck.city.sources import SourceOptions
from geocheck.errors import DataFileError, Problem, did_you_mean
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import ValidatorFunctionWrapHandler

    from geocheck.toml_files import Loc

SUFFIX = ".geocheck.toml"
"""`hidrantes.csv.geocheck.toml` beside `hidrantes.csv` speaks of it."""


def _one_complaint(message: str) -> WrapValidator:
    """Say in one sentence that a value is none of several kinds; pydantic has one for each of them."""

    def check(value: object, kinds: ValidatorFunctionWrapHandler) -> object:
        try:
            # By now JSON is Python, where a strict validation takes no list for a tuple.
            return kinds(tuple(value) if isinstance(value, list) else value)
        except ValidationError:
            raise ValueError(f"deve ser {message}") from None

    return WrapValidator(check)


Value = Annotated[
    StrictBool | StrictInt | Text, _one_complaint("true, false, um número inteiro ou um texto entre aspas")
]
Columns = Annotated[
    Text | Annotated[tuple[Text, ...], Field(min_length=1)],
    _one_complaint("o nome de uma coluna, entre aspas, ou uma lista de nomes"),
]


class Declaration(SourceOptions):
    """What is known of a file beside it, and how its columns say what a layer wants to know.

    Attributes:
        policy: `replace` takes the place of what else there is of the layer, `merge` is laid over it.
        merge_m: up to so far two features of the same layer are one; None: the hypotenuse of their ±.
        extent: file of polygons inside which the layer holds; None: that of the bundle.
        on_axis: the lines are those of the streets, and not the things' own.
        columns: by attribute (or `feature`, the id) the column, or columns joined by a space, that tell it.
        values: by attribute, what a text of the column means.
        only: by column, the texts of which one must stand there.
    """

    policy: Literal["replace", "merge"] = "replace"
    merge_m: Annotated[float, Field(ge=0, le=1000)] | None = None
    extent: Text | None = None
    on_axis: StrictBool | None = None
    columns: dict[Text, Columns] = Field(default_factory=dict)
    values: dict[Text, dict[Text, Value]] = Field(default_factory=dict)
    only: dict[Text, Annotated[tuple[Text, ...], Field(min_length=1)]] = Field(default_factory=dict)

    def words_of(self, attribute: str) -> dict[str, bool | int | str]:
        """Return what texts mean for an attribute."""
        return self.values.get(attribute, {})


def attributes_of(layer: str) -> tuple[str, ...]:
    """Return the attributes that the features of a layer may have."""
    kind = LAYER_KINDS.get(layer)
    return (*COMMON, *(kind.attributes if kind else ()))


def beside(path: Path) -> Path | None:
    """Return the TOML that lies beside a file and speaks of it, if there is one."""
    toml = path.parent / f"{path.name}{SUFFIX}"
    return toml if toml.is_file() else None


def read_declaration(toml: Path, layer: str) -> Declaration:
    """Read a TOML for a layer.

    Raises:
        DataFileError: it cannot be read, or says what the layer does not know; every problem is named.
    """
    declared = read_options(toml, Declaration)
    problems = [Problem(toml.name, *each) for each in _misfits(declared, layer)]
    if problems:
        raise DataFileError(problems)
    if declared.extent is not None:
        # A path in a file is seen from that file.
        declared = declared.model_copy(update={"extent": str(toml.parent / declared.extent)})
    return declared


_Options = TypeVar("_Options", bound=SourceOptions)


def read_options(toml: Path, model: type[_Options]) -> _Options:
    """Read a TOML of whatever file, without asking which layer it is for.

    Raises:
        DataFileError: it cannot be read; every problem is named.
    """
    try:
        return validated(model, read_toml(toml))
    except ValidationError as error:
        raise DataFileError(problems_of(error, toml.name, _locate, model_keys(model))) from None


def joined(declared: Declaration, options: dict[str, Any], layer: str) -> Declaration:
    """Return a declaration with options laid over it.

    Raises:
        DataFileError: an option is wrong, or does not go with what the TOML says.
    """
    said = {key: getattr(declared, key) for key in declared.model_fields_set}
    if "geometry" in options:
        said.pop("x", None), said.pop("y", None)
    if "x" in options:
        said.pop("geometry", None)
    try:
        return Declaration.model_validate({**said, **options})
    except ValidationError as error:
        raise DataFileError(
            problems_of(error, f"--layer {layer}", _locate, model_keys(Declaration))
        ) from None


def _locate(loc: Loc) -> tuple[str, str]:
    return "", ".".join(str(step) for step in loc if step != "[key]")


def _misfits(declared: Declaration, layer: str) -> list[tuple[str, str, str]]:
    """List what does not fit the layer, as (where, key, message)."""
    known = attributes_of(layer)
    found = []
    for table, names, allowed in (
        ("columns", declared.columns, ("feature", *known)),
        ("values", declared.values, known),
    ):
        for name in names:
            if name not in allowed:
                hint = did_you_mean(name, allowed)
                message = f"a camada “{layer}” não tem esse atributo{hint}; tem: {', '.join(allowed)}"
                found.append((table, name, message))
    for name, words in declared.values.items():
        if name not in known:
            continue
        if len({each.casefold() for each in words}) < len(words):
            found.append(("values", name, "o mesmo texto aparece duas vezes (maiúsculas não contam)"))
        for text, value in words.items():
            if value == UNKNOWN:
                continue
            try:
                set_value(name, value)
            except ValueError as error:
                found.append(("values", f"{name}.{text}", str(error)))
    return found
