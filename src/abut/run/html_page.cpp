#include "abut/run/html_page.hpp"

#include "abut/base/version.hpp"
#include "abut/draw/svg.hpp"

#include <fmt/format.h>

namespace abut {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #666; --rule: #e6e6e6; --box: #f6f6f6; }
@media (prefers-color-scheme: dark) { :root:not([data-abut-theme=light]) { --ink: #ddd; --paper: #16181c; --soft: #9aa0a8; --rule: #2c3038; --box: #1f2228; } }
:root[data-abut-theme=dark] { color-scheme: dark; --ink: #ddd; --paper: #16181c; --soft: #9aa0a8; --rule: #2c3038; --box: #1f2228; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1000px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; overflow-wrap: anywhere; } h2 { font-size: 1.1em; margin: 2em 0 .5em; }
p.verdict { padding: .7em 1em; border-left: 5px solid; margin: 1em 0; overflow-wrap: anywhere; color: #222; }
p.verdict.good { border-color: #2a8a4a; background: #eef8f1; } p.verdict.open { border-color: #b58900; background: #fdf8e8; }
p.verdict.bad { border-color: #c00000; background: #fdeeee; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25em .8em .25em 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } th.number { text-align: right; }
td.share { width: 35%; } td.share div { background: #56b4e9; height: .8em; margin-top: .35em; }
.note { color: var(--soft); font-size: .9em; } code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { background: var(--box); padding: 1em; overflow-x: auto; }
svg { display: block; max-width: 100%; height: auto; margin: .8em 0; border-radius: 4px; } img { max-width: 100%; height: auto; }
button.download { font: inherit; padding: .4em 1em; cursor: pointer; }
)";

} // namespace

std::string html_page(std::string_view title, std::string_view body)
{
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}"
        "<p class=\"note\">abut {3}</p>\n</body>\n</html>\n",
        xml_escaped(title), style, body, version);
}

} // namespace abut
