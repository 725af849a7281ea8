"""scripts/check-docs finds links that point nowhere."""

import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-docs"
PAGE = "# Page\n\n## eps_v, and `time` steps\n\n## From C++\n\n## From C++\n\n```sh\n# no heading\n```\n"


def check(root, text):
    (root / "docs").mkdir()
    (root / "docs" / "page.md").write_text(PAGE)
    (root / "docs" / "other.md").write_text(text)
    return subprocess.run([sys.executable, SCRIPT, root], text=True, capture_output=True, timeout=60)


@pytest.mark.parametrize("link", ["page.md", "page.md#eps_v-and-time-steps", "page.md#from-c-1", "#own", "../docs"])
def test_links_to_what_is_there_pass(tmp_path, link):
    result = check(tmp_path, f"# Own\n\nSee [this\n  one]({link}).\n")
    assert (result.returncode, result.stdout) == (0, "1 links point somewhere\n")


@pytest.mark.parametrize("link, words", [("pages.md", "pages.md does not exist"),
                                         ("page.md#from-c-2", "page.md has no heading for #from-c-2"),
                                         ("page.md#no-heading", "page.md has no heading for #no-heading"),
                                         ("#page", "other.md has no heading for #page")])
def test_links_that_point_nowhere_are_named_by_file_and_line(tmp_path, link, words):
    result = check(tmp_path, f"# Own\n\nSee [this\n  one]({link}).\n")
    assert (result.returncode, result.stdout) == (1, f"docs/other.md:3: {words}\n")
