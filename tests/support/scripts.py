# SPDX-License-Identifier: MIT
"""Scripts of this repository as modules. Their names have no ending, so `import` does not find them."""

import importlib.machinery
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(path):
    """The module of a script, such as "scripts/test/run"."""
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(path).name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
