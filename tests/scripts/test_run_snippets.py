"""scripts/run-snippets runs the commands of console blocks and notices what they print."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "run-snippets"


def run_page(root, text):
    for folder in ("scripts", "docs", "scenes"):
        (root / folder).mkdir()
    shutil.copy(SCRIPT, root / "scripts")
    (root / "README.md").write_text("")
    (root / "docs" / "page.md").write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, root / "scripts" / "run-snippets", root, "console"], text=True, timeout=60,
                          capture_output=True, env=dict(os.environ, ABUT_PROGRAM="/bin/cat"))


FILE = "<!-- file: a.txt -->\n```text\none\ntwo\nthree\n```\n\n"


@pytest.mark.parametrize("printed", ["one\ntwo\nthree\n", "one\n…\n", "…ne\nt…o\nt…\n", "one\ntwo\nthree\n…\n"])
def test_commands_print_what_the_page_says(tmp_path, printed):
    result = run_page(tmp_path, f"{FILE}```console\n$ abut a.txt\n{printed}$ echo x > b.txt\n```\n\n```console\n$ abut b.txt\nx\n```\n")
    assert (result.returncode, result.stdout) == (0, "3 passed, 0 failed\n")


@pytest.mark.parametrize("block", ["$ abut a.txt\none\ntwo\n", "$ abut a.txt\n…\nfour\n", "$ abut a.txt\none …\ntwo\nthree\n",
                                   "$ abut b.txt\n…\n", "$ abut a.txt\n", "one\n"])
def test_what_differs_or_fails_is_a_failure(tmp_path, block):
    result = run_page(tmp_path, f"{FILE}```console\n{block}```\n")
    assert result.returncode == 1
    assert "docs/page.md:9: " in result.stdout + result.stderr


def test_no_commands_at_all_are_a_failure(tmp_path):
    assert run_page(tmp_path, FILE).returncode == 1
