"""scripts/check-includes finds what it is there for: it fails on small trees with one wrong include each."""

import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-includes"
CMAKE = 'set(ABUT_SIM_FOLDERS "/src/abut/((elastic|solver|sim)/|(io/vtu|linear/direct_solver)[.])")\n'
CLEAN = {
    "abut.hpp": '#include "abut/io/obj.hpp"\n',
    "base/error.hpp": "#include <string>\n",
    "linear/direct_solver.cpp": '#include "abut/linear/direct_solver.hpp"\n',
    "linear/direct_solver.hpp": '#include "abut/base/error.hpp"\n',
    "contact/laws/cubic.hpp": '#include "abut/base/error.hpp"\n',
    "contact/stiffness.hpp": '#include "abut/contact/laws/cubic.hpp"\n',
    "contact/gcp/smooth_stiffness.hpp": '#include "abut/contact/stiffness.hpp"\n',
    "sim/scene.hpp": '#include "abut/contact/gcp/smooth_stiffness.hpp"\n#include "abut/linear/direct_solver.hpp"\n',
    "io/obj.hpp": "",
    "io/vtu.hpp": '#include "abut/io/obj.hpp"\n#include "abut/sim/scene.hpp"\n',
}


def check(root, files, cmake=CMAKE):
    (root / "CMakeLists.txt").write_text(cmake)
    for name, text in files.items():
        path = root / "src" / "abut" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return subprocess.run([sys.executable, SCRIPT, root], text=True, capture_output=True, timeout=60)


def test_a_clean_tree_passes_without_a_word(tmp_path):
    result = check(tmp_path, CLEAN)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("file, line, message", [
    # a folder below, of the same folder or another
    ("contact/laws/bad.hpp", '#include "abut/contact/stiffness.hpp"',
     "'contact/laws' includes 'contact', which stands below it"),
    ("contact/bad.cpp", '#include "abut/contact/gcp/smooth_stiffness.hpp"',
     "'contact' includes 'contact/gcp', which stands below it"),
    ("base/bad.hpp", '#include "abut/contact/laws/cubic.hpp"',
     "'base' includes 'contact/laws', which stands below it"),
    ("io/bad.hpp", '#include "abut/abut.hpp"', "'io' includes 'abut.hpp', which stands below it"),
    # the simulator, where the order of folders would allow it: a folder of it, a file of a folder
    ("io/bad.cpp", '#include "abut/sim/scene.hpp"',
     "a file of abut::abut includes 'sim/scene.hpp', which belongs to abut::sim"),
    ("io/bad.cpp", '#include "abut/io/vtu.hpp"',
     "a file of abut::abut includes 'io/vtu.hpp', which belongs to abut::sim"),
    ("linear/bad.cpp", '#include "abut/linear/direct_solver.hpp"',
     "a file of abut::abut includes 'linear/direct_solver.hpp', which belongs to abut::sim"),
    ("abut.hpp", '#include "abut/sim/scene.hpp"',
     "a file of abut::abut includes 'sim/scene.hpp', which belongs to abut::sim"),
    # other ways to write it
    ("contact/bad.cpp", "#include <abut/contact/gcp/smooth_stiffness.hpp>",
     "'contact' includes 'contact/gcp', which stands below it"),
    ("contact/bad.h", '  #\tinclude   "abut/contact/gcp/smooth_stiffness.hpp" // why',
     "'contact' includes 'contact/gcp', which stands below it"),
    ("contact/bad.cpp", '#include"abut/contact/gcp/smooth_stiffness.hpp"',
     "'contact' includes 'contact/gcp', which stands below it"),
    ("contact/bad.cpp", '#include "gcp/smooth_stiffness.hpp"',
     'write "gcp/smooth_stiffness.hpp" from src on, as "abut/..."'),
    ("contact/bad.cpp", '#include "abut/contact/../sim/scene.hpp"',
     "includes 'contact/../sim', which is not in the list of layers"),
])
def test_a_wrong_include_is_named_by_file_and_line(tmp_path, file, line, message):
    result = check(tmp_path, CLEAN | {file: f"// first\n#include <vector>\n{line}\n"})
    assert result.returncode == 1
    assert result.stderr == f"src/abut/{file}:3: {message}\n"


def test_an_include_can_be_wrong_in_both_senses(tmp_path):
    result = check(tmp_path, CLEAN | {"contact/bad.cpp": '#include "abut/sim/scene.hpp"\n'})
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        "src/abut/contact/bad.cpp:1: 'contact' includes 'sim', which stands below it",
        "src/abut/contact/bad.cpp:1: a file of abut::abut includes 'sim/scene.hpp', which belongs to abut::sim",
    ]


@pytest.mark.parametrize("file, layer", [("contact/new/deep.hpp", "contact/new"), ("new/file.cpp", "new"),
                                         ("contact/gcp/new/deep.hpp", "contact/gcp/new"), ("file.hpp", "file.hpp")])
def test_a_folder_must_be_in_the_list(tmp_path, file, layer):
    result = check(tmp_path, CLEAN | {file: ""})
    assert result.returncode == 1
    assert result.stderr == f"src/abut/{file}: '{layer}' is not in the list of layers\n"


def test_nothing_to_check_is_a_failure(tmp_path):
    result = check(tmp_path, {})
    assert result.returncode == 1
    assert "found no files" in result.stderr


def test_a_build_that_does_not_say_what_the_simulator_is_is_a_failure(tmp_path):
    result = check(tmp_path, CLEAN, cmake="project(abut)\n")
    assert result.returncode == 1
    assert "ABUT_SIM_FOLDERS" in result.stderr
