"""Checks a built site: every link and anchor leads somewhere, and no page loads anything from a network."""

import html.parser
import pathlib
import urllib.parse

LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append((self.getpos()[0], values["href"]))
        if tag in LOADS and values.get(LOADS[tag]) and values.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append((self.getpos()[0], values[LOADS[tag]]))

    handle_startendtag = handle_starttag


def problems(site):
    """Returns how many links were checked, and a line for each that is broken."""
    site = pathlib.Path(site).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    count, found = 0, []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are absolute, as a server shows it anywhere
        for line, target in page.links + page.loads:
            place = f"{path.relative_to(site)}:{line}"
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ("data", "mailto") or (parts.scheme and (line, target) in page.links):
                continue
            count += 1
            if parts.scheme or parts.netloc:
                found.append(f"{place}: loads {target} from a network")
                continue
            goal = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not goal.is_file():
                found.append(f"{place}: {target} does not exist")
            elif parts.fragment and goal in pages and urllib.parse.unquote(parts.fragment) not in pages[goal].ids:
                found.append(f"{place}: {target} has no such anchor")
    for path in sorted(site.rglob("*.css")):
        if "url(http" in path.read_text(encoding="utf-8") or "@import" in path.read_text(encoding="utf-8"):
            found.append(f"{path.relative_to(site)}: loads something from a network")
    return count, found
