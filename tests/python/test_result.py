"""Results in notebooks: the report in a frame of its cell."""

import html
import html.parser

import abut
import pytest

SCENE = {
    "format": 1,
    "name": 'a "cube" & <more>',
    "planes": [{}],
    "objects": [{"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [0, 0.2, 0]}}],
    "time": {"steps": 2},
}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return abut.run(abut.Scene.from_json(SCENE), tmp_path_factory.mktemp("result") / "out")


def frame_of(text):
    """The page in the one frame of a cell, as a browser takes it out of its attribute."""
    found = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append((tag, dict(attrs)))

    Reader().feed(text)
    ((tag, attributes),) = found
    assert tag == "iframe"
    return attributes["srcdoc"]


def test_what_a_run_returns_shows_its_report(report):
    with open(report.report, encoding="utf-8") as file:
        page = file.read()
    assert "<svg" in page and html.escape(SCENE["name"]) in page
    assert frame_of(report._repr_html_()) == page
    assert frame_of(abut.Result(report.folder)._repr_html_()) == page


def test_a_result_is_a_folder(report, tmp_path):
    result = abut.Result(report.folder)
    assert result.folder == report.folder and result.report == report.report == f"{report.folder}/report.html"
    assert repr(result) == f"<abut.Result: {report.folder}>"
    with pytest.raises(ValueError, match="no results"):
        abut.Result(tmp_path)
    with pytest.raises(TypeError):
        abut.Result(None)


def test_a_report_that_is_missing_or_too_large_is_a_sentence(report, tmp_path, monkeypatch):
    (tmp_path / "scene.json").write_text("{}")
    text = abut.Result(tmp_path)._repr_html_()
    assert "iframe" not in text and "abut report" in text and str(tmp_path) in text
    (tmp_path / "report.html").write_text("x" * 1001)
    monkeypatch.setattr("abut._result.MOST_BYTES", 1000)
    text = abut.Result(tmp_path)._repr_html_()
    assert "iframe" not in text and str(tmp_path / "report.html") in text and "MB" in text
    monkeypatch.setattr("abut._result.MOST_BYTES", 1001)
    assert frame_of(abut.Result(tmp_path)._repr_html_()) == "x" * 1001
