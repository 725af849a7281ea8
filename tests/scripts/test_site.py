"""The parts of scripts/build-site: the references and the check of the built site."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "site"))

import check_site  # noqa: E402
import cpp_reference  # noqa: E402
import python_reference  # noqa: E402

HEADER = '''#pragma once
// About the file, x < y.
//
//     E = m c²
//
// And more.

#include <vector>

namespace abut {

class Announced;

namespace detail {
int hidden();
} // namespace detail

/// Options of a thing.
struct Options {
    double dhat = 1e-3; ///< [m], > 0
    std::vector<int> ids{};
};

/// A thing.
class Thing final : public Base {
public:
    /// Makes it.
    explicit Thing(int a) : a_(a), b_{a} { a_ += b_; }

    [[nodiscard]] int a() const { return a_; }
    bool operator==(const Thing&) const = default;

private:
    int secret() const;
    int a_, b_;
};

/// Adds.
[[nodiscard]] inline int add(int a, int b = 2)
{
    return a + b;
}
/// The same for doubles.
double add(double a, double b);

template <typename T>
T Thing::elsewhere(T value)
{
    return value;
}

} // namespace abut
'''


def reference(root):
    path = root / "src" / "abut" / "part" / "thing.hpp"
    path.parent.mkdir(parents=True)
    path.write_text(HEADER, encoding="utf-8")
    return cpp_reference.header_page(root, "part/thing.hpp")


def test_declarations_come_with_their_comments_and_without_bodies(tmp_path):
    page = reference(tmp_path)
    assert "About the file, x &lt; y.\n\n        E = m c²\n\nAnd more." in page
    assert [line for line in page.split("\n") if line.startswith("###")] == ["### Options", "### Thing", "### add"]
    assert "Options of a thing.\n\n```cpp\nstruct Options {\n    double dhat = 1e-3; ///< [m], > 0\n    std::vector<int> ids{};\n};" in page
    assert "    /// Makes it.\n    explicit Thing(int a);\n    int a() const;\n    bool operator==(const Thing&) const = default;\n};" in page
    assert "Adds.\n\n```cpp\ninline int add(int a, int b = 2);\n```" in page and "The same for doubles." in page


@pytest.mark.parametrize("word", ["hidden", "secret", "a_", "Announced", "elsewhere", "return", "nodiscard", "namespace"])
def test_what_is_not_for_callers_is_left_out(tmp_path, word):
    assert word not in reference(tmp_path)


def test_every_public_header_has_a_section(tmp_path):
    root = pathlib.Path(__file__).resolve().parents[2]
    text = "".join(file.read_text(encoding="utf-8") for _, file in cpp_reference.write(root, tmp_path))
    for name in cpp_reference.public_headers(root):
        assert f"## abut/{name}\n" in text
    for name in ("find_collision_free_stepsize", "Simulation", "SceneContact", "BarrierPotential", "read_obj"):
        assert f"### {name}\n" in text
    assert "### \n" not in text


def test_stubs_become_sections_with_overloads_together(tmp_path):
    stubs = tmp_path / "python" / "abut"
    stubs.mkdir(parents=True)
    (stubs / "__init__.pyi").write_text("class E(Exception): ...\n\n# Meshes\n\n@overload\ndef f(a: int) -> int: ...\n@overload\n"
                                        "def f(a: str) -> str: ...\ndef _g() -> int: ...\n")
    (stubs / "generate.pyi").write_text("def box() -> int: ...\n")
    (stubs / "laws.pyi").write_text("def cubic() -> int: ...\n")
    (tmp_path / "out").mkdir()
    pages, _ = python_reference.write(tmp_path, tmp_path / "out")
    assert [title for title, _ in pages] == ["Errors and threads", "Meshes", "abut.generate", "abut.laws"]
    text = pages[1][1].read_text()
    assert text.count("### f\n") == 1 and "def f(a: int) -> int\n@overload\ndef f(a: str) -> str\n" in text and "_g" not in text


def test_docstrings_lose_the_signatures_of_pybind11():
    def thing():
        """thing(a: int) -> int

        Words."""
    assert python_reference.docstring(thing) == "Words."


@pytest.mark.parametrize("body, found", [
    ('<a href="b.html#there">', []), ('<a href="https://ipctk.xyz">', []), ('<a href="#own"><p id="own">', []),
    ('<a href="c.html">', ["a.html:1: c.html does not exist"]), ('<img src="x.png">', ["a.html:1: x.png does not exist"]),
    ('<a href="b.html#gone">', ["a.html:1: b.html#gone has no such anchor"]),
    ('<a href="#gone">', ["a.html:1: #gone has no such anchor"]), ('<a href=".">', ["a.html:1: . does not exist"]),
    ('<script src="https://unpkg.com/x.js"></script>', ["a.html:1: loads https://unpkg.com/x.js from a network"]),
    ('<link rel="stylesheet" href="//fonts.com/a.css">', ["a.html:1: loads //fonts.com/a.css from a network"])])
def test_links_of_the_site_are_followed(tmp_path, body, found):
    (tmp_path / "a.html").write_text(body)
    (tmp_path / "b.html").write_text('<h1 id="there">')
    assert check_site.problems(tmp_path)[1] == found
