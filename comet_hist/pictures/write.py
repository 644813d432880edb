"""Charts on their way out: PNG, SVG and HTML files, and SVG that becomes part of a page."""

import json
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from comet_hist.cli.output.characters import isolated
from comet_hist.pictures.colours import ALL, INK, PAPER
from comet_hist.processes import reserve

if TYPE_CHECKING:
    from altair.typing import ChartType

_PIXELS: Final = 2
"""Pixels of a PNG for each one of the chart, so that it is sharp on screens of high resolution and on paper."""

_ROOM: Final = 65 << 30
"""Bytes of address space that the JavaScript engine reserves; it uses few of them."""

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_SVG: Final = f"{{{_NAMESPACE}}}"

# What players wrote stands in the page as JSON in a script; without "<" in it no name can end the script.
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; \
style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ margin: 0; background: {ground}; }}</style>
<script>{library}</script>
</head>
<body>
<div id="chart"></div>
<script>vegaEmbed("#chart", {chart}, {{renderer: "svg", actions: {{export: true, source: false, compiled: false, \
editor: false}}}});</script>
</body>
</html>
"""


def written(chart: "ChartType", ending: str) -> bytes:
    """Return a chart as the bytes of a file, which needs no other file and no network to be looked at.

    Args:
        chart: the chart.
        ending: what the name of the file ends with, one of `pictures.ENDINGS`.
    """
    if ending == ".html":
        return _page(chart).encode()
    if ending == ".svg":
        return _drawn(chart).encode()
    png: bytes = _converter().vegalite_to_png(_specification(chart), _version(), scale=_PIXELS, allowed_base_urls=[])
    return png


def svg(chart: "ChartType", name: str) -> str:
    """Return a chart as an `<svg>` element for a page, which it follows in being light or dark.

    Text has the colour of the text around it. The chart's heading is part of the drawing, and with the lines below it
    also its title and description for those who have the page read to them.

    Args:
        chart: the chart.
        name: the element's id, with which the ids within begin: letters, digits and hyphens, once on a page.
    """
    root = ElementTree.fromstring(_drawn(chart))
    for ground in root.findall(f"{_SVG}rect"):
        root.remove(ground)
    inks = {colour.light: f"var(--{name}-{at})" for at, colour in enumerate(ALL)} | {INK.light: "currentColor"}
    labelled = [element for element in root.iter() if "id" in element.attrib]
    links = {f"url(#{element.attrib['id']})": f"url(#{name}-{at})" for at, element in enumerate(labelled)}
    for at, element in enumerate(labelled):
        element.set("id", f"{name}-{at}")
    for element in root.iter():
        _adapt(element, inks | links)
    _describe(root, chart, name)
    ElementTree.register_namespace("", _NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def _converter() -> Any:
    """Import what draws; its JavaScript engine aborts the process where it gets too little address space.

    Raises:
        MemoryError: if there is too little.
    """
    reserve(_ROOM)
    import vl_convert

    return vl_convert


def _drawn(chart: "ChartType") -> str:
    drawn: str = _converter().vegalite_to_svg(_specification(chart), _version(), allowed_base_urls=[])
    return drawn


def _specification(chart: "ChartType") -> dict[str, Any]:
    specification: dict[str, Any] = _isolating(chart.to_dict())
    return specification


def _isolating(value: Any) -> Any:
    """Return a value of JSON with names that are written from the right isolated, the same name everywhere the same."""
    if isinstance(value, str):
        return isolated(value)
    if isinstance(value, list):
        return [_isolating(each) for each in value]
    return {key: _isolating(each) for key, each in value.items()} if isinstance(value, dict) else value


def _version() -> str:
    """Return the version of Vega-Lite for which Altair writes."""
    import altair

    major_and_minor: str = altair.SCHEMA_VERSION.rpartition(".")[0]
    return major_and_minor


@cache
def _library() -> str:
    """Return the JavaScript that draws charts in a browser, whole."""
    library: str = _converter().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return library


def _page(chart: "ChartType") -> str:
    specification = _specification(chart)
    return _PAGE.format(
        title=escape(specification["title"]["text"]),
        ground=PAPER.light,
        library=_library(),
        chart=json.dumps(specification).replace("<", "\\u003c"),
    )


def _adapt(element: ElementTree.Element, values: dict[str, str]) -> None:
    """Take from an element what the page says better, and give it the values that go with the page."""
    for attribute in [*element.attrib]:
        if attribute.startswith("aria-") or attribute in ("role", "pointer-events", "class"):
            del element.attrib[attribute]
        elif element.attrib[attribute] in values:
            element.set(attribute, values[element.attrib[attribute]])


def _describe(root: ElementTree.Element, chart: "ChartType", name: str) -> None:
    """Give a drawing its id, its colours, and its title and description."""
    specification = _specification(chart)
    light, dark = (
        f"#{name}{{{''.join(f'--{name}-{at}:{colour[ground]};' for at, colour in enumerate(ALL))}}}"
        for ground in (0, 1)
    )
    words = {"title": specification["title"]["text"], "desc": specification["description"]}
    words |= {"style": f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"}
    for at, (tag, text) in enumerate(words.items()):
        element = ElementTree.Element(f"{_SVG}{tag}")
        element.text = text
        if tag != "style":
            element.set("id", f"{name}-{tag}")
        root.insert(at, element)
    root.set("id", name)
    root.set("role", "img")
    root.set("overflow", "visible")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
