"""The JSON Schema of the report, its fields described by the models' own words."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from geocheck.model import finding as found
from geocheck.model import report as models
from geocheck.model import request as asked

if TYPE_CHECKING:
    from pydantic import BaseModel

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_ATTRIBUTE: Final = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def report_schema() -> dict[str, Any]:
    """Return the schema that every report in JSON keeps."""
    schema = models.Report.model_json_schema(by_alias=True, mode="validation")
    for name, part in ((models.Report.__name__, schema), *schema["$defs"].items()):
        model = next((getattr(each, name) for each in (models, found, asked) if hasattr(each, name)), None)
        if model is not None and "properties" in part:
            _describe(part, model)
    schema["required"] = ["schema", *schema["required"]]
    return {"$schema": DIALECT, "$id": models.SCHEMA, **schema}


def _describe(part: dict[str, Any], model: type[BaseModel]) -> None:
    """Put what the docstrings say of a model and its fields where readers of the schema look for it."""
    part["description"] = _head(model.__doc__ or "")
    for base in reversed(model.__mro__):
        for name, text in _ATTRIBUTE.findall(_dedented(base.__doc__ or "")):
            field = model.model_fields.get(name)
            if field is not None:
                part["properties"][field.alias or name]["description"] = " ".join(text.split())


def _dedented(doc: str) -> str:
    return re.sub(r"^ {4}", "", doc, flags=re.MULTILINE)


def _head(doc: str) -> str:
    return " ".join(doc.split("Attributes:", maxsplit=1)[0].split())


def main() -> None:
    """Write the schema to the file that the command line names."""
    text = json.dumps(report_schema(), ensure_ascii=False, indent=2)
    Path(sys.argv[1]).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
