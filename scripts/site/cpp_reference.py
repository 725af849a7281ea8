"""The reference of the C++ library: what callers include, as Markdown. A header's first comment, and each of its declarations
with its `///` comment; bodies of functions and private members are left out."""

import pathlib
import re

INCLUDE = re.compile(r'^ *# *include *[<"]abut/([^>"]+)[>"]', re.MULTILINE)
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|[(){}\[\];=:]', re.DOTALL)
LEADING = re.compile(r"(?:[ \t]*//[^\n]*\n)*[ \t]*(?=\S)")
ACCESS = re.compile(r"\s*(public|private|protected)\s*:(?!:)")
MEMBER_OR_BODY = re.compile(r"\s*(?:,\s*\w+\s*)*(?=[{(])")
# What programs that embed the simulator see, beyond what they include.
SIMULATOR = ["sim/scene.hpp", "sim/integrator.hpp", "sim/verification.hpp", "solver/state.hpp", "linear/linear_solver.hpp"]
PAIRS = {"(": ")", "[": "]", "{": "}"}


def public_headers(root):
    """Headers that abut.hpp includes; those that snippets of the docs include; what the latter include themselves; SIMULATOR."""
    source = root / "src" / "abut"
    library = INCLUDE.findall((source / "abut.hpp").read_text(encoding="utf-8"))
    pages = "".join(path.read_text(encoding="utf-8") for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))])
    named = [name for name in dict.fromkeys(INCLUDE.findall(pages)) if name != "abut.hpp" and name not in library]
    behind = [name for each in named for name in INCLUDE.findall((source / each).read_text(encoding="utf-8"))]
    return sorted({*library, *named, *behind, *SIMULATOR})


def closing(text, start):
    """Where the bracket at `start` is closed."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        if match[0] in PAIRS:
            depth += 1
        elif match[0] in PAIRS.values():
            depth -= 1
            if depth == 0:
                return match.start()
    raise ValueError(f"no end of {text[start:start + 60]!r}")


def head_end(text, start):
    """Where the first part of a declaration ends: at `;`, `{`, `=` or the `:` of a constructor, outside of parentheses."""
    position, seen_parameters = start, False
    while match := TOKEN.search(text, position):
        token, position = match[0], match.end()
        if token in "([":
            seen_parameters |= token == "("
            position = closing(text, match.start()) + 1
        elif token == "=" and re.search(r"operator\s*[=!<>+*/-]*$", text[start:match.start()]):
            continue
        elif token == ":" and (text[match.start() - 1] == ":" or text[match.end()] == ":"):
            continue
        elif token == ":" and not seen_parameters:
            continue
        elif token in ";{=:":
            return match.start(), token
    return len(text), ""


def plain(head):
    """A declaration without attributes and template parameters, which names are looked for in."""
    head = re.sub(r"//[^\n]*", "", re.sub(r"\[\[[^\]]*\]\]|\balignas\([^)]*\)", "", head)).strip()
    while head.startswith("template"):
        depth, end = 0, head.index("<")
        for end in range(end, len(head)):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            if depth == 0:
                break
        head = head[end + 1:].strip()
        if head.startswith("requires"):
            head = re.sub(r"^requires\s+(\([^)]*\)|[\w:<>, ]+?>)\s*", "", head)
    return head


def name_of(head):
    head = plain(head)
    if match := re.match(r"(?:enum\s+(?:class|struct)|enum|struct|class|union|using|concept)\s+(\w+)", head):
        return match[1]
    if match := re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|\w+)|~?\w+)\s*\(", head):
        return match[1]
    match = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)?$", head)
    return match[1] if match else ""


def split(text, inside_class=False):
    """Yields (comment, code, name) of what is declared in a namespace or class; code is as it is written, without bodies."""
    position, visible = 0, True
    while position < len(text):
        if inside_class and (access := ACCESS.match(text, position)):
            visible = access[1] != "private"
            if visible:
                yield "", access[0].strip("\n"), None
            position = access.end()
            continue
        blank = re.compile(r"\s*\n|[ \t]+(?=$)").match(text, position)
        if blank:
            position = blank.end()
            continue
        begin = LEADING.match(text, position)
        comment = begin[0] if begin else ""
        position = begin.end() if begin else position
        if position >= len(text) or not text[position:].strip():
            return
        if text[position] in ";}":
            position += 1
            continue
        if text.startswith("#", position):
            end = text.find("\n", position)
            position = end + 1 if end >= 0 else len(text)
            continue
        if re.search(r"\n[ \t]*\n", comment):
            comment = re.split(r"\n[ \t]*\n", comment)[-1]
        end, token = head_end(text, position)
        head = text[position:end]
        word = plain(head)
        if word.startswith("namespace") and token == "{":
            stop = closing(text, end)
            if not re.search(r"\bdetail\b", head) and word != "namespace":
                yield from split(text[end + 1:stop])
            position = re.compile(r"[^\n]*").match(text, stop + 1).end()  # with its "// namespace abut"
            continue
        is_type = re.match(r"(enum|struct|class|union)\b", word) and token in "{:"
        if is_type and token == ":":
            end = text.index("{", end)
            head, token = text[position:end], "{"
        if is_type:
            stop = closing(text, end)
            body = text[end:stop + 1] if word.startswith("enum") else "{\n" + cleaned(text[end + 1:stop]) + "}"
            semicolon = text.index(";", stop)
            code = head + body + ";"
            position = semicolon + 1
        elif token in "{:" and "(" in head:
            end = text.index("{", end) if token == ":" else end
            stop = closing(text, end)
            # Members of a constructor's list may have braces too: its body is what follows the last of them.
            while token == ":" and (more := MEMBER_OR_BODY.match(text, stop + 1)):
                stop = closing(text, more.end())
            code = head.rstrip() + ";"
            position = stop + 1
        else:
            stop = end
            while text[stop:stop + 1] not in (";", ""):
                match = TOKEN.search(text, stop)
                stop = closing(text, match.start()) + 1 if match[0] in PAIRS else match.end()
                if match[0] == ";":
                    stop = match.start()
            code = text[position:stop] + ";"
            position = stop + 1
        trailing = re.compile(r"[ \t]*///?<?[^\n]*").match(text, position)
        if trailing:
            code += text[position:trailing.end()]
            position = trailing.end()
        is_announced = token == ";" and re.match(r"(enum class|enum|class|struct)\s+\w+\s*(:[^;]*)?$", word)
        is_defined_elsewhere = not inside_class and re.search(r"\w(<[^<>]*>)?::~?\w+\s*\([^()]*\)[^()]*$", word) and "(" in word
        if visible and not is_announced and not is_defined_elsewhere and not word.startswith(("friend", "static_assert", "extern")):
            yield comment, code, name_of(head)


def cleaned(body):
    """The public part of a class, as it is written, without the bodies of its functions."""
    lines, pending = [], None
    for comment, code, name in split(body, inside_class=True):
        if name is None:
            pending = code
            continue
        if pending:
            lines.append(pending.strip())
            pending = None
        if comment.strip() and lines and not lines[-1].endswith(":"):
            lines.append("")
        lines.append((comment + code).strip("\n"))
    return "\n".join(line if ACCESS.match(line) else indented(line) for line in lines) + "\n" if lines else ""


def indented(text):
    text = re.sub(r"\[\[nodiscard\]\]\s*", "", text)
    rows = text.split("\n")
    depth = min((len(row) - len(row.lstrip()) for row in rows[1:] if row.strip()), default=0)
    first = rows[0].lstrip()
    return "\n".join(["    " + first if first else "", *("    " + row[min(depth, 4):] for row in rows[1:])])


def words(comment):
    """A comment as Markdown: what is indented in it is a formula, or goes on with an item of a list."""
    rows, in_item = [], False
    for row in comment.strip("\n").split("\n"):
        row = re.sub(r"^\s*///?<? ?", "", row)
        in_item = row.startswith("- ") or (in_item and row.startswith("  "))
        is_formula = row.startswith("  ") and not in_item
        if rows and rows[-1] and row and is_formula != rows[-1].startswith("    "):
            rows.append("")  # code for Markdown only behind an empty line
        rows.append("    " + row if is_formula else escaped(row))
    return "\n".join(rows).strip("\n")


def escaped(text):
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*\[\]|])", r"\\\1", part.replace("&", "&amp;").replace("<", "&lt;"))
                   for part in parts)


def header_page(root, name):
    text = (root / "src" / "abut" / name).read_text(encoding="utf-8")
    about = re.search(r"#pragma once\n+((?://[^\n]*\n)+)", text)
    page = [f"## abut/{name}\n"]
    if about:
        page.append(words(about[1]) + "\n")
    seen = None
    code = re.sub(r"^ *#(?:[^\n]*\\\n)*[^\n]*\n", "", text, flags=re.MULTILINE)
    code = code[code.index("namespace abut"):] if "namespace abut" in code else ""
    for comment, declaration, called in split(code):
        if called != seen:
            page.append(f"### {escaped(called)}\n")
            seen = called
        if comment.strip():
            page.append(words(comment) + "\n")
        page.append("```cpp\n" + re.sub(r"\[\[nodiscard\]\]\s*", "", declaration).strip("\n") + "\n```\n")
    return "\n".join(page)


def write(root, folder):
    """Writes a page for each folder of headers; returns (title, file) of each."""
    by_folder = {}
    for name in public_headers(root):
        by_folder.setdefault(str(pathlib.PurePath(name).parent), []).append(name)
    pages = []
    for part, names in by_folder.items():
        file = folder / (part.replace("/", "-") + ".md")
        title = part + "/"
        text = f"# {title}\n\nFrom the headers in `src/abut/{part}/`; everything is in the namespace `abut`.\n\n"
        file.write_text(text + "\n".join(header_page(root, name) for name in names), encoding="utf-8")
        pages.append((title, file))
    return pages
