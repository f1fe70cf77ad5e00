"""The fit that tells how something grows, and its plot."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from porimon.bench.plot import exponent, log_log_svg


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_that_power(power: float) -> None:
    assert exponent([(x, 3 * x**power) for x in (10, 100, 1000)]) == pytest.approx(power)


def test_a_plot_holds_every_point_inside_its_frame_and_escapes_names() -> None:
    svg = log_log_svg("a & b", "x", "y", {"<one>": [(10, 2), (1000, 700)], "two": [(100, 0.3)]})
    root = ElementTree.fromstring(svg)
    namespace = "{http://www.w3.org/2000/svg}"
    circles = root.findall(f"{namespace}circle")
    assert len(circles) == 3
    assert all(0 < float(one.attrib["cx"]) < 480 for one in circles)
    assert all(0 < float(one.attrib["cy"]) < 320 for one in circles)
    texts = [element.text for element in root.findall(f"{namespace}text")]
    assert {"a & b", "<one>", "two"} <= set(texts)
