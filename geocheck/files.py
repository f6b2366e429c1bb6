"""Where the installed data files are, and how files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_SAID: Final = {
    errno.ENOENT: "arquivo não encontrado; confira o caminho",
    errno.EACCES: "sem permissão de acesso",
    errno.EPERM: "sem permissão de acesso",
    errno.EISDIR: "é uma pasta, não um arquivo",
    errno.ENOTDIR: "parte do caminho não é uma pasta",
    errno.ENOSPC: "não há espaço no disco",
    errno.EDQUOT: "a cota de disco acabou",
    errno.EEXIST: "já existe e não é uma pasta",
    errno.EBUSY: "está em uso; escolha outra pasta",
    errno.ELOOP: "é um atalho que aponta para si mesmo",
    errno.ENAMETOOLONG: "o nome é longo demais",
    errno.EROFS: "o disco só permite leitura",
}


def why(error: OSError) -> str:
    """Say in pt-BR why a file could not be read or written."""
    # Libraries raise some without a number.
    return _SAID.get(error.errno or 0, f"erro do sistema ({error.errno or error})")


def data_folder() -> Path:
    """Return the folder with `rulebooks/`, `cities/` and `demo/`.

    In a wheel it lies inside the package; in a checkout (editable install) beside it.
    """
    package = Path(__file__).resolve().parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write bytes, or text as UTF-8, so that `path` holds either its old content or all of the new one.

    Raises:
        OSError: the folder does not exist or cannot be written.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
