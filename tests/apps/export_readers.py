"""Readers of what `abut export` writes, by the definitions of the formats rather than by the code that wrote them."""

import collections
import re
import struct

TYPES = {"Float64": "d", "Int64": "q", "Int32": "i", "UInt8": "B"}


def vtu_array(path, name):
    """An array of a VTU file with appended raw data."""
    data = path.read_bytes()
    start = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
    found = re.search(rb'<DataArray type="(\w+)" Name="' + name.encode() + rb'" (?:NumberOfComponents="(\d+)")?[^>]* offset="(\d+)"',
                      data[:start])
    letter, at = TYPES[found[1].decode()], start + int(found[3])
    (size,) = struct.unpack_from("<Q", data, at)
    values = struct.unpack_from(f"<{size // struct.calcsize(letter)}{letter}", data, at + 8)
    width = int(found[2] or 1)
    return [values[k : k + width] for k in range(0, len(values), width)] if width > 1 else list(values)


Parts = collections.namedtuple("Parts", "vertices faces edges")


def shown(path):
    """Of each object of a frame: its vertices that are seen, rising, and how many faces and edges it shows."""
    objects, cells = vtu_array(path, "object"), vtu_array(path, "connectivity")
    faces, edges, inside, at = [], [], set(), 0
    sides = collections.Counter()
    for kind in vtu_array(path, "types"):
        count = {10: 4, 5: 3, 3: 2, 1: 1}[kind]
        cell = cells[at : at + count]
        at += count
        if kind == 10:
            inside.update(cell)
            sides.update(tuple(sorted(set(cell) - {corner})) for corner in cell)
        elif kind == 5:
            faces.append(cell)
        elif kind == 3:
            edges.append(cell)
    faces += [side for side, count in sides.items() if count == 1]
    seen = {v for cell in faces + edges for v in cell} | (set(range(len(objects))) - inside)
    return [Parts([v for v in sorted(seen) if objects[v] == k], sum(objects[f[0]] == k for f in faces),
                  sum(objects[e[0]] == k for e in edges)) for k in range(max(objects) + 1)]


def single(values):
    """Numbers rounded to single precision."""
    return tuple(struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}f", *values)))


def read_obj(path):
    """Of each object: its name, vertices, and elements as (letter, vertices counted from 0 in the object)."""
    objects, before = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "o":
            before += len(objects[-1][1]) if objects else 0
            objects.append((rest, [], []))
        elif word == "v":
            objects[-1][1].append(tuple(map(float, rest.split())))
        elif word in "flp":
            objects[-1][2].append((word, [int(index) - 1 - before for index in rest.split()]))
        else:
            assert word == "#", line
    return objects


def read_ply(path):
    """The comment, and rows of each element."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    letters = {"float": "f", "int": "i", "uchar": "B"}
    lines = data[:end].decode().splitlines()
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"]
    elements, comment = [], ""
    for line in lines[2:-1]:
        words = line.split()
        if words[0] == "comment":
            comment = line[len("comment "):]
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        else:
            elements[-1][2].append(words[1:])
    rows, at = {}, end
    for name, count, properties in elements:
        rows[name] = []
        for _ in range(count):
            row = {}
            for kind, *rest in properties:
                if kind == "list":
                    (size,) = struct.unpack_from("<" + letters[rest[0]], data, at)
                    at += struct.calcsize(letters[rest[0]])
                    row[rest[2]] = struct.unpack_from(f"<{size}{letters[rest[1]]}", data, at)
                    at += size * struct.calcsize(letters[rest[1]])
                else:
                    (row[rest[0]],) = struct.unpack_from("<" + letters[kind], data, at)
                    at += struct.calcsize(letters[kind])
            rows[name].append(row)
    assert at == len(data)
    return comment, rows


def read_pc2(path):
    """Start frame, sample rate, and the points of each sample."""
    data = path.read_bytes()
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert (magic, version) == (b"POINTCACHE2\0", 1) and len(data) == 32 + 12 * points * samples
    values = struct.unpack_from(f"<{3 * points * samples}f", data, 32)
    rows = [values[k : k + 3] for k in range(0, len(values), 3)]
    return start, rate, [rows[k * points : (k + 1) * points] for k in range(samples)]


class Usda:
    """A reader of the part of USD's text form that a scene with meshes needs."""

    TOKEN = re.compile(r'\s+|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<number>-?\d[\d.]*(?:e[-+]?\d+)?)|(?P<word>[A-Za-z_][\w:.]*)'
                       r"|(?P<sign>[][(){}=:,])")

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("#usda 1.0\n")
        self.tokens, at = [], len("#usda 1.0\n")
        while at < len(text):
            found = self.TOKEN.match(text, at)
            assert found, text[at : at + 60]
            if found.lastgroup:
                self.tokens.append((found.lastgroup, found[0]))
            at = found.end()
        self.at = 0
        self.metadata = self.attributes(")") if self.accept("(") else {}
        self.prims = []
        while self.at < len(self.tokens):
            self.prims.append(self.prim())

    def accept(self, sign):
        if self.at < len(self.tokens) and self.tokens[self.at][1] == sign:
            self.at += 1
            return True
        return False

    def take(self, kind):
        found, value = self.tokens[self.at]
        assert found == kind, (kind, self.tokens[self.at - 3 : self.at + 3])
        self.at += 1
        return value

    def expect(self, sign):
        assert self.accept(sign), (sign, self.tokens[self.at - 3 : self.at + 3])

    def text(self):
        return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1]), self.take("text")[1:-1])

    def list(self, end):
        values = []
        while not self.accept(end):
            values.append(self.value())
            if not self.accept(","):
                self.expect(end)
                break
        return values

    def value(self):
        if self.accept("["):
            return self.list("]")
        if self.accept("("):
            return tuple(self.list(")"))
        if self.accept("{"):
            if self.tokens[self.at][0] != "number":
                return self.attributes("}")
            samples = {}
            while not self.accept("}"):
                time = float(self.take("number"))
                self.expect(":")
                samples[time] = self.value()
                self.expect(",")
            return samples
        return self.text() if self.tokens[self.at][0] == "text" else float(self.take("number"))

    def attributes(self, end):
        """`type[] name = value (metadata)` and `name = value`, up to the sign."""
        found = {}
        while not self.accept(end):
            self.attribute(found)
        return found

    def attribute(self, found):
        name = None
        while not self.accept("="):
            if self.accept("["):
                self.expect("]")
            else:
                name = self.text() if self.tokens[self.at][0] == "text" else self.take("word")
        assert name not in found
        found[name] = self.value()
        if self.accept("("):
            found[name + " metadata"] = self.attributes(")")

    def prim(self):
        assert self.take("word") == "def"
        kind, name = self.take("word"), self.text()
        assert re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII)
        metadata = self.attributes(")") if self.accept("(") else {}
        self.expect("{")
        children, attributes = [], {}
        while not self.accept("}"):
            if self.tokens[self.at] == ("word", "def"):
                children.append(self.prim())
            else:
                self.attribute(attributes)
        return {"kind": kind, "name": name, "metadata": metadata, "attributes": attributes, "children": children}
