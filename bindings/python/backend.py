# SPDX-License-Identifier: MIT
"""Packs the package as a wheel, with the standard library alone.

`make wheel` compiles the module and runs this file to pack it. For pip it is also the build backend that pyproject.toml
names (PEP 517): `pip install bindings/python` calls build_wheel, which runs `make wheel`.

    python3 backend.py MODULE VERSION DIRECTORY
"""

from __future__ import annotations

import base64
import hashlib
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from typing import Any, Optional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def metadata(project: dict[str, Any], version: str) -> str:
    """The text of METADATA, from the project table of pyproject.toml."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
    ]
    return "\n".join(lines) + "\n"


def pack(module: pathlib.Path, version: str, directory: pathlib.Path) -> pathlib.Path:
    """Writes the wheel. The same files give the same bytes: names are sorted, and times are fixed."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    tag = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"{project['name']}-{version}.dist-info"
    files = {f"luft/{path.name}": path.read_bytes() for path in (HERE / "luft").iterdir() if path.is_file()}
    files["luft/_core.abi3.so"] = module.read_bytes()
    store = module.with_name("_store.abi3.so")  # luft.Database, if SQLite was there
    if store.exists():
        files["luft/_store.abi3.so"] = store.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: luft\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    wheel = directory / f"{project['name']}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def build_wheel(
    wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    """What pip calls. It needs the checkout around this folder, a C compiler and make."""
    command = ["make", "--no-print-directory", "-C", str(ROOT), f"PYTHON={sys.executable}"]
    subprocess.run([*command, "wheel"], check=True)
    build = subprocess.run([*command, "-s", "print-BUILD"], check=True, capture_output=True, text=True).stdout.strip()
    wheel = max((ROOT / build).glob("luft-*.whl"), key=lambda path: path.stat().st_mtime)
    return pathlib.Path(shutil.copy(wheel, wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    raise UnsupportedOperation("the source of this package is the whole repository")


class UnsupportedOperation(Exception):
    """The name that PEP 517 gives this exception."""


if __name__ == "__main__":
    wheel = pack(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))
    print(f"  READY  {wheel}")
