"""Tables as text: CSV, Markdown, LaTeX, and rich's tables for the terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from porimon.stats.tables import Table, written

if TYPE_CHECKING:
    from rich.console import Group

TextFormat = Literal["csv", "markdown", "latex"]


def printed(found: Sequence[Table], layout: TextFormat) -> str:
    """Several tables in one text format, a blank line between them."""
    write = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}[layout]
    return "\n".join(write(table) for table in found)


def as_csv(table: Table) -> str:
    """One table as CSV with a header; unknown values are empty cells."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.keys)
    for row in table.rows:
        writer.writerow(["" if cell is None else cell for cell in row])
    return out.getvalue()


def as_markdown(table: Table) -> str:
    """One table in Markdown (pipes), with its caption as a bold line."""

    def escape(text: str) -> str:
        return text.replace("|", "\\|")

    lines = [f"**{escape(table.caption)}**", ""]
    lines.append("| " + " | ".join(escape(c.heading) for c in table.columns) + " |")
    lines.append("|" + "|".join("---:" if c.numeric else "---" for c in table.columns) + "|")
    lines += ["| " + " | ".join(escape(text) for text in row) + " |" for row in written(table)]
    return "\n".join(lines) + "\n"


def as_latex(table: Table) -> str:
    """One table as a LaTeX ``table`` with rules of the package ``booktabs``."""
    layout = "".join("r" if column.numeric else "l" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{_latex(table.caption)}}}",
        rf"  \label{{tab:{table.name}}}",
        rf"  \begin{{tabular}}{{{layout}}}",
        r"    \toprule",
        "    " + " & ".join(_latex(c.heading) for c in table.columns) + r" \\",
        r"    \midrule",
    ]
    lines += ["    " + " & ".join(_latex(text) for text in row) + r" \\" for row in written(table)]
    lines += [r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def as_rich(table: Table) -> Group:
    """One table for rich's console, below its caption.

    Where the terminal is narrow, names go over several lines; figures are never cut.
    """
    from rich import box
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table.columns:
        shown.add_column(
            column.narrow or column.heading,
            justify="right" if column.numeric else "left",
            no_wrap=column.numeric,
            overflow="fold",
            vertical="top",
        )
    for row in written(table):
        shown.add_row(*(Text(text) for text in row))
    return Group(Text(table.caption, style="bold"), shown)


_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "β": r"$\beta$",
    "χ²": r"$\chi^2$",
    "−": r"$-$",
    "–": "--",
    "±": r"$\pm$",
    "²": r"$^2$",
}


def _latex(text: str) -> str:
    """Text with LaTeX's special characters escaped and the symbols used here in math."""
    text = text.replace("χ²", "\0")
    shown = "".join(_LATEX_ESCAPES.get(character, character) for character in text)
    return shown.replace("\0", _LATEX_ESCAPES["χ²"])
