"""An interruption ends the command with one line, whether it is still loading or at work.

No clock has a part in it: Python itself tells what it has loaded, and a pipe when somebody reads from it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
COMMAND = "from geocheck_command import main; main()"
INTERRUPTED = "geocheck: interrompido"


@pytest.mark.parametrize("module", ["geocheck.errors", "pydantic", "numpy", "geocheck.api", "typer.core"])
def test_while_the_command_is_loading(module: str) -> None:
    """Once it has loaded, it waits for a request on its standard input that never comes."""
    args = [sys.executable, "-X", "importtime", "-c", COMMAND, "check", "goiania", "--request", "-"]
    with subprocess.Popen(
        args, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        told = (line for line in process.stderr if line.startswith("import time:"))
        assert any(line.split("|")[-1].strip() == module for line in told), f"{module} was never loaded"
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate()
    said = [line for line in rest.splitlines() if not line.startswith("import time:")]
    assert (process.returncode, out, said) == (130, "", [INTERRUPTED])


def test_at_work(shared_cases: Path, tmp_path: Path) -> None:
    """A build is interrupted while it reads a layer: it leaves neither a bundle nor a file of its own."""
    layer, temporary = tmp_path / "hidrantes.csv", tmp_path / "tmp"
    os.mkfifo(layer)
    temporary.mkdir()
    streets, out_folder = str(next(shared_cases.glob("25-*")) / "street.osm"), str(tmp_path / "pacote")
    build = ["build", "goiania", "--osm", streets, "-o", out_folder, "--layer", f"hydrant={layer}"]
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, *build],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        writer = _once_read(layer, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        os.close(writer)
    assert (process.returncode, out, err) == (130, "", f"{INTERRUPTED}\n")
    assert sorted(tmp_path.iterdir()) == [layer, temporary]
    assert not list(temporary.iterdir())


def _once_read(pipe: Path, process: subprocess.Popen[str]) -> int:
    """Open a named pipe for writing as soon as the process reads from it."""
    while process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            continue
    pytest.fail("the command ended before it read the layer")
