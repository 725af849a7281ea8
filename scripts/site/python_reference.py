"""The reference of the Python module, as Markdown: signatures from its stubs, words from the docstrings of the built module."""

import ast
import importlib
import inspect
import re


def documentation(names):
    """The object of the built module, or None where the module is not built."""
    try:
        thing = importlib.import_module("abut")
    except ImportError:
        return None
    for name in names:
        thing = getattr(thing, name, None)
    return thing


def docstring(thing):
    """Without the signatures that pybind11 puts first."""
    text = inspect.getdoc(thing) if thing is not None else None
    if not text:
        return ""
    # A docstring that Python's own classes hand down tells nothing.
    if text in (inspect.getdoc(object.__init__), inspect.getdoc(int), inspect.getdoc(property)):
        return ""
    text = re.sub(r"\A\w+\(.*\) -> [^\n]*\n*", "", text)
    text = re.sub(r"^Overloaded function\.\n*", "", text)
    text = re.sub(r"^\d+\. \w+\(.*\) -> [^\n]*\n*", "", text, flags=re.MULTILINE)
    return text.strip()


def as_markdown(text):
    parts = re.split(r"(``?[^`]*``?)", text)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;").replace("*", r"\*").replace("_", r"\_")
                   for part in parts)


def without_dots(code):
    """Stubs have `...` for bodies, which tell nothing."""
    return re.sub(r":\s*\.\.\.$", "", code, flags=re.MULTILINE)


def source_of(text, node):
    lines = text.split("\n")
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return "\n".join(lines[first - 1:node.end_lineno])


def members(module, node):
    """The public methods and properties of a class that have a docstring, with it."""
    found = {}
    for each in node.body:
        name = getattr(each, "name", None) or getattr(getattr(each, "target", None), "id", None)
        if name and (not name.startswith("_") or name == "__call__") and name not in found:
            found[name] = docstring(documentation([*module, node.name, name]))
    return [(name, text) for name, text in found.items() if text]


def entry(module, name, nodes, text):
    page = [f"### {'.'.join([*module, name])}\n"]
    words = docstring(documentation([*module, name]))
    if words:
        page.append(as_markdown(words) + "\n")
    code = "\n".join(without_dots(source_of(text, node)) for node in nodes)
    page.append(f"```py\n{code}\n```\n")
    if isinstance(nodes[0], ast.ClassDef):
        for member, told in members(module, nodes[0]):
            page.append(f"- `{member}`: " + as_markdown(told).replace("\n", "\n    "))
        page.append("")
    return "\n".join(page)


def sections(text, first_title):
    """Yields (title, nodes by name) of a stub, which has a comment of its own line above each part."""
    titles = {number: line[2:] for number, line in enumerate(text.split("\n"), 1) if re.match(r"# [A-Z]", line)}
    parts, tree = {}, ast.parse(text)
    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
            continue
        above = [number for number in titles if number < node.lineno]
        title = titles[max(above)] if above else first_title
        parts.setdefault(title, {}).setdefault(node.name, []).append(node)
    return parts.items()


def write(root, folder):
    """Writes a page for each part of the module; returns (title, file) of each."""
    is_built = documentation([]) is not None
    note = "" if is_built else "*The module was not built when this page was made, so that it has signatures alone.*\n\n"
    stubs = root / "python" / "abut"
    pages = []
    for stub, module, first_title in (("__init__.pyi", [], "Errors and threads"), ("generate.pyi", ["generate"], "abut.generate"),
                                      ("laws.pyi", ["laws"], "abut.laws")):
        text = (stubs / stub).read_text(encoding="utf-8")
        for title, names in sections(text, first_title):
            file = folder / (re.sub(r"\W+", "-", title.lower()) + ".md")
            body = "\n".join(entry(module, name, nodes, text) for name, nodes in names.items())
            aliases = "`ArrayLike` is whatever numpy reads as an array; `_Floats` and `_Ints` are arrays of numpy.\n\n"
            file.write_text(f"# {title}\n\n{note}{aliases}{body}", encoding="utf-8")
            pages.append((title, file))
    return pages, is_built
