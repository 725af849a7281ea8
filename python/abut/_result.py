"""Results of runs as notebooks show them."""

import html
import os
import pathlib

#: Pages beyond it make notebooks slow, which keep what they show [bytes].
MOST_BYTES = 60_000_000


class Result:
    """The folder of a run's results. As the last value of a cell, a notebook shows the run's report.

    folder: that of abut.run() or `abut run`.
    """

    def __init__(self, folder):
        self._folder = pathlib.Path(os.fspath(folder))
        if not (self._folder / "scene.json").is_file():
            raise ValueError(f"folder: {self._folder} holds no results of a run (it has no scene.json)")

    @property
    def folder(self):
        """The folder of the results."""
        return str(self._folder)

    @property
    def report(self):
        """The page that sums the run up; `abut report` writes it again."""
        return str(self._folder / "report.html")

    def __repr__(self):
        return f"<abut.Result: {self.folder}>"

    def _repr_html_(self):
        return report_in_cell(self._folder)


Result.__module__ = "abut"


def report_in_cell(folder):
    """HTML for a notebook's cell: the report of the results in a frame of its own, whose styles and scripts stay in it."""
    page = pathlib.Path(folder) / "report.html"
    name = html.escape(str(page.absolute()))
    try:
        size = page.stat().st_size
        if size > MOST_BYTES:
            return f"<p>The report has {size / 1e6:.0f} MB, too much for a cell; open it in a browser: <code>{name}</code></p>"
        text = page.read_text(encoding="utf-8")
    except OSError:
        return f"<p>There is no report at <code>{name}</code>; <code>abut report</code> writes it.</p>"
    return (f'<iframe srcdoc="{html.escape(text)}" title="report of a run" width="100%" height="640" '
            'style="border: 1px solid #ccc" sandbox="allow-scripts"></iframe>')
