"""What the pages say of Python runs: the gallery, the README's section, the stubs."""
import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import pysegment

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "examples" / "python"
# What each writes, and arguments that make it short.
SCRIPTS = {"interactive": ("python-interactive.jpg", []), "compare_scikit_image": ("python-scikit-image.jpg", ["1", "4"]),
           "constrained_clustering": ("python-clustering.png", ["1"]), "active_choice": ("python-active.png", []),
           "batch_folder": ("python-batch.jpg", [])}


def test_there_are_no_other_scripts():
    assert sorted(path.stem for path in GALLERY.glob("*.py")) == sorted(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_gallery(name, tmp_path):
    picture, more = SCRIPTS[name]
    if name == "batch_folder":
        more = [tmp_path / "few"]
        more[0].mkdir()
        for image in [*(ROOT / "images").glob("c[ao]*.jpg"), *(ROOT / "images").glob("c[ao]*-scribbles.png")]:
            (more[0] / image.name).symlink_to(image)
    done = subprocess.run([sys.executable, GALLERY / f"{name}.py", tmp_path, *more], capture_output=True, text=True,
                          check=False, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout and (tmp_path / picture).stat().st_size > 5000
    assert (ROOT / "docs" / "pictures" / picture).exists() and picture in (ROOT / "docs" / "python.md").read_text()
    if name == "batch_folder":
        assert len(list(tmp_path.glob("*-mask.png"))) == 2 and "coffee: 4 regions" in done.stdout


def python_blocks(page, heading=None):
    text = page.read_text()
    if heading:
        text = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)


def test_readme(tmp_path, monkeypatch):
    (code,) = python_blocks(ROOT / "README.md", "Python")
    assert len(code.strip().splitlines()) == 10
    (tmp_path / "images").symlink_to(ROOT / "images")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    assert names["result"].regions == 4 and (tmp_path / "mask.png").exists() and len(set(names["labels"])) == 3


def test_page(tmp_path, monkeypatch):
    blocks = python_blocks(ROOT / "docs" / "python.md")
    assert len(blocks) >= 5
    (tmp_path / "images").symlink_to(ROOT / "images")
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks:  # one after the other, as they are read
        exec(code, names)


@pytest.mark.parametrize("module", ["images", "vectors", "active"])
def test_examples_of_docstrings(module):
    found = doctest.testmod(getattr(pysegment, module, None) or sys.modules[f"pysegment.{module}"],
                            extraglobs=vars(pysegment))
    assert found.attempted and not found.failed


def test_stubs_are_those_of_the_registry():
    stubs = runpy.run_path(str(ROOT / "scripts" / "python-stubs.py"))
    written = (ROOT / "src" / "python" / "pysegment" / "estimators.pyi").read_text()
    assert written == stubs["text"](), "PYTHONPATH=build/python python3 scripts/python-stubs.py > src/python/pysegment/estimators.pyi"
    assert (Path(pysegment.__file__).parent / "py.typed").exists()
