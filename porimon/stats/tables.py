"""Tables of an analysis as data: what stands in which column, and how a reader sees it.

``porimon.stats.table_formats`` writes them. JSON and CSV keep all digits, since programs read them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porimon.stats.details import FAMILIES, Details
from porimon.stats.results import Analysis

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key (in CSV), its heading, and how a value is written for a reader."""

    key: str
    heading: str
    write: Callable[[Cell], str]
    numeric: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a short name, a caption that states family and method, columns and raw rows."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tables(analysis: Analysis, details: Details | None = None) -> list[Table]:
    """All tables that have rows: players (strongest first), differences, contrasts, matchups; with
    ``details`` also the fit, the pairs and the sensitivity."""
    found = [
        _players(analysis),
        _pairwise(analysis),
        _contrasts(analysis),
        _matchups(analysis),
    ]
    if details is not None:
        found += [_residuals(details), _pairs(details), _sensitivity(analysis, details)]
    return [table for table in found if table.rows]


def written(table: Table) -> list[list[str]]:
    """The rows as text for a reader; a dash where a value is unknown or does not exist."""
    return [
        [
            "–" if cell is None else column.write(cell)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def p_text(value: Cell) -> str:
    """A p-value: three digits after the point, smaller ones in powers of ten with two figures."""
    number = float(value or 0.0)
    return f"{number:.3f}" if number >= 0.001 else f"{number:.1e}"


def _text(value: Cell) -> str:
    return str(value)


def _percent(value: Cell) -> str:
    return f"{100 * float(value or 0.0):.1f} %"


def _signed(value: Cell) -> str:
    return f"{float(value or 0.0):+.3f}"


def _plain(value: Cell) -> str:
    return f"{float(value or 0.0):.3f}"


def _name(key: str, heading: str) -> Column:
    return Column(key, heading, _text, numeric=False)


def _count(key: str, heading: str) -> Column:
    return Column(key, heading, _text)


_TESTS = (
    Column("se", "SE", _plain),
    Column("z", "z", _signed),
    Column("p", "p", p_text),
    Column("p_holm", "p (Holm)", p_text),
)


def _players(analysis: Analysis) -> Table:
    errors = {
        "pairs": "standard errors clustered by pair",
        "information": "standard errors from the information matrix",
        None: "no standard errors",
    }[analysis.standard_errors]
    order = sorted(
        analysis.players,
        key=lambda p: (p.beta is None, -(p.beta or 0.0), -p.win_rate, p.name),
    )
    return Table(
        "players",
        f"Players: Bradley–Terry strength against {analysis.reference} "
        f"({analysis.method}, {errors}; 95 % intervals)",
        (
            _name("name", "player"),
            _count("battles", "battles"),
            _count("wins", "wins"),
            _count("losses", "losses"),
            _count("ties", "ties"),
            Column("win_rate", "win rate", _percent),
            Column("wilson_low", "low", _percent),
            Column("wilson_high", "high", _percent),
            Column("beta", "β", _signed),
            Column("se", "SE", _plain),
            Column("ci_low", "β low", _signed),
            Column("ci_high", "β high", _signed),
            Column("fallback_rate", "fallbacks", _percent),
            _count("forfeits", "forfeits"),
        ),
        tuple(
            (
                p.name,
                p.battles,
                p.wins,
                p.losses,
                p.ties,
                p.win_rate,
                p.wilson_low,
                p.wilson_high,
                p.beta,
                p.se,
                p.ci_low,
                p.ci_high,
                p.fallback_rate,
                p.forfeits,
            )
            for p in order
        ),
    )


def _pairwise(analysis: Analysis) -> Table:
    return Table(
        "pairwise",
        f"Differences of strength: Wald tests ({FAMILIES['pairwise']})",
        (_name("a", "a"), _name("b", "b"), Column("beta_diff", "β(a) − β(b)", _signed), *_TESTS),
        tuple((r.a, r.b, r.beta_diff, r.se, r.z, r.p, r.p_holm) for r in analysis.pairwise),
    )


def _contrasts(analysis: Analysis) -> Table:
    return Table(
        "contrasts",
        f"Contrasts: Wald tests ({FAMILIES['contrasts']})",
        (_name("name", "contrast"), Column("estimate", "estimate", _signed), *_TESTS),
        tuple((r.name, r.estimate, r.se, r.z, r.p, r.p_holm) for r in analysis.contrasts),
    )


def _matchups(analysis: Analysis) -> Table:
    return Table(
        "matchups",
        f"Matchups: win rates of a, Wilson 95 % intervals, exact tests ({FAMILIES['matchups']})",
        (
            _name("a", "a"),
            _name("b", "b"),
            _count("wins_a", "wins a"),
            _count("wins_b", "wins b"),
            _count("ties", "ties"),
            Column("win_rate_a", "win rate a", _percent),
            Column("wilson_low", "low", _percent),
            Column("wilson_high", "high", _percent),
            Column("binomial_p", "p", p_text),
            Column("binomial_p_holm", "p (Holm)", p_text),
        ),
        tuple(
            (
                m.a,
                m.b,
                m.wins_a,
                m.wins_b,
                m.ties,
                m.win_rate_a,
                m.wilson_low,
                m.wilson_high,
                m.binomial_p,
                m.binomial_p_holm,
            )
            for m in analysis.matchups
        ),
    )


def _residuals(details: Details) -> Table:
    fit = details.goodness_of_fit
    tested = (
        f"χ² = {fit.statistic:.2f}, {fit.degrees} degrees of freedom, p = {p_text(fit.p)}"
        if fit.statistic is not None
        else "no matchups to spare for a test"
    )
    cycles = [" > ".join([*t.cycle, t.cycle[0]]) for t in details.triads if t.cycle is not None]
    circles = f"; observed cycles: {', '.join(cycles)}" if cycles else ""
    return Table(
        "fit",
        f"Fit of the model: {tested}{circles}",
        (
            _name("a", "a"),
            _name("b", "b"),
            _count("battles", "battles"),
            Column("observed", "points a", lambda value: f"{float(value or 0.0):g}"),
            Column("fitted", "fitted", lambda value: f"{float(value or 0.0):.1f}"),
            Column("standardised", "residual", _signed),
        ),
        tuple(
            (r.a, r.b, r.battles, r.observed, r.fitted, r.standardised) for r in details.residuals
        ),
    )


def _pairs(details: Details) -> Table:
    known = details.pair_correlation
    correlation = "unknown" if known is None else f"{known:+.2f}"
    return Table(
        "pairs",
        f"Analysis by pair (correlation within pairs over all matchups: {correlation})",
        (
            _name("matchup", "matchup"),
            _count("pairs", "pairs"),
            Column("correlation", "correlation", _signed),
            Column("win_rate", "win rate a", _percent),
            Column("low", "low", _percent),
            Column("high", "high", _percent),
            Column("design_effect", "variance ratio", _plain),
            Column("p", "p", p_text),
        ),
        tuple(
            (name, r.pairs, r.correlation, r.win_rate, r.low, r.high, r.design_effect, r.p)
            for name, r in details.pairs.items()
        ),
    )


def _sensitivity(analysis: Analysis, details: Details) -> Table:
    whole = {player.name: player.beta for player in analysis.players}
    rows: list[tuple[Cell, ...]] = []
    for variant in details.sensitivity:
        if variant.analysis is None:
            rows.append((variant.name, variant.left_out, None, None, None, None))
            continue
        rows += [
            (variant.name, variant.left_out, p.name, p.win_rate, p.beta, whole.get(p.name))
            for p in variant.analysis.players
        ]
    return Table(
        "sensitivity",
        "Sensitivity: the same analysis without some battles",
        (
            _name("variant", "battles"),
            _count("left_out", "left out"),
            _name("player", "player"),
            Column("win_rate", "win rate", _percent),
            Column("beta", "β", _signed),
            Column("beta_all", "β of all", _signed),
        ),
        tuple(rows),
    )
