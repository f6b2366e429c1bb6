"""The package as a whole: what it exports, what importing it costs, and the wheel it builds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import geocheck

REPOSITORY = Path(__file__).parents[1]


def test_exported_names_exist_and_are_all() -> None:
    exported = {name: getattr(geocheck, name) for name in geocheck.__all__}
    assert sorted(exported) == list(geocheck.__all__)
    assert all(value is not None for value in exported.values())
    assert {"check", "check_many", "parse_request"} <= exported.keys()


def test_the_call_is_a_call_and_not_the_folder_of_that_name() -> None:
    code = """
import geocheck.check.pipeline
from geocheck import check, parse_request
print(check(parse_request({"city": "goiania", "measured": {"gap_m": 0.51}})).verdict)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "prohibited"


def test_importing_the_law_pulls_in_nothing_of_the_web_or_the_terminal() -> None:
    heavy = "[m for m in ('rich', 'typer', 'fastapi') if m in sys.modules]"
    code = f"import sys, geocheck.law.versions; print({heavy})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_wheel_works_away_from_the_checkout(tmp_path: Path) -> None:
    """Build it, unpack it elsewhere, and ask it for a stay: the law must have come along."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        assert "geocheck/data/rulebooks/ctb.toml" in archive.namelist()
        assert "geocheck/py.typed" in archive.namelist()
    code = "import geocheck; assert 'site' in geocheck.__file__; from geocheck_command import main; main()"
    command = [sys.executable, "-c", code, "stay", "goiania", "--placed-at", "2026-10-23", "--json", "-"]
    out = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(site)}, capture_output=True, text=True, check=True
    )
    assert '"leave_by":"2026-10-30T23:59:59-03:00"' in out.stdout
