"""A plot with logarithmic axes as SVG: how something grows is the slope of a line there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _MARGIN = 480, 320, 60
_COLOURS = ("#0b6e99", "#b5541c", "#4b7f2f", "#7a3e8e")

Points = Sequence[tuple[float, float]]


def exponent(points: Points) -> float:
    """Slope of the least-squares line in logarithms: 1 is linear, 0 constant, 2 quadratic."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covered = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / covered


def log_log_svg(title: str, x_label: str, y_label: str, series: Mapping[str, Points]) -> str:
    """One plot of several series. All numbers must be above 0."""
    points = [point for each in series.values() for point in each]
    x_low, x_high = _decades([x for x, _ in points])
    y_low, y_high = _decades([y for _, y in points])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_low) / (y_high - y_low)
        return (
            _MARGIN + across * (_WIDTH - 2 * _MARGIN),
            _HEIGHT - _MARGIN - up * (_HEIGHT - 2 * _MARGIN),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' font-family="sans-serif" font-size="11">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        _text(_WIDTH / 2, 20, title, "middle"),
        _text(_WIDTH / 2, _HEIGHT - 16, x_label, "middle"),
        _text(12, 40, y_label, "start"),
    ]
    for decade in range(x_low, x_high + 1):
        x, bottom = place(10**decade, 10**y_low)
        parts.append(_line(x, bottom, x, _MARGIN, "#ddd"))
        parts.append(_text(x, bottom + 16, f"{10**decade:,g}", "middle"))
    for decade in range(y_low, y_high + 1):
        left, y = place(10**x_low, 10**decade)
        parts.append(_line(left, y, _WIDTH - _MARGIN, y, "#ddd"))
        parts.append(_text(left - 6, y + 4, f"{10**decade:g}", "end"))
    for number, (name, each) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in each))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        for point in each:
            x, y = place(*point)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')
        parts.append(_text(_MARGIN + 8, _MARGIN + 14 + 14 * number, name, "start", colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _decades(values: Sequence[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(text)}</text>'
