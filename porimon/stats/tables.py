"""Tables of an analysis as data: the raw figures by key, and the columns that a reader sees.

A reader's column may join several figures: an estimate and its interval stand in one, so that a
table fits a terminal of 80 columns. ``porimon.stats.table_formats`` writes the tables. CSV holds
the raw figures with all digits, since programs read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from porimon.stats.details import FAMILIES, Details
from porimon.stats.results import Analysis

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A reader's column: heading, the keys that it shows, and how their values are written.

    ``write`` gets the values of ``keys`` in order; the first is known whenever it is called.
    ``narrow`` is the heading where every character counts (a terminal), with line breaks.
    """

    heading: str
    keys: tuple[str, ...]
    write: Callable[..., str]
    numeric: bool = True
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a short name, a caption that states family, method and models, the keys of the
    raw rows, and a reader's columns over them."""

    name: str
    caption: str
    keys: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Column, ...]


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
        found += [
            _residuals(analysis, details),
            _pairs(analysis, details),
            _sensitivity(analysis, details),
        ]
    return [table for table in found if table.rows]


def written(table: Table) -> list[list[str]]:
    """The rows as a reader sees them; a dash where a value is unknown or does not exist."""
    places = [[table.keys.index(key) for key in column.keys] for column in table.columns]
    return [
        [
            "–" if row[place[0]] is None else column.write(*(row[at] for at in place))
            for column, place in zip(table.columns, places, strict=True)
        ]
        for row in table.rows
    ]


def models_asked(analysis: Analysis) -> str:
    """Which language model played for whom, as a sentence; empty where none is known of.

    Every table of results says so, since a win of the offline reader is not a language model's.
    """
    asked: dict[str, list[str]] = {}
    for player in analysis.players:
        if player.model is not None:
            asked.setdefault(player.model, []).append(player.name)
    if len(asked) == 1:
        return f"Model: {next(iter(asked))}"
    return "Models: " * bool(asked) + "; ".join(
        f"{model} for {', '.join(names)}" for model, names in asked.items()
    )


def p_text(value: Cell) -> str:
    """A p-value: three digits after the point, smaller ones in powers of ten with two figures."""
    number = float(value or 0.0)
    return f"{number:.3f}" if number >= 0.001 else f"{number:.1e}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _percent_between(value: float, low: float | None, high: float | None) -> str:
    """``45.0 % (25.8–65.8)``."""
    limits = "?" if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"
    return f"{_percent(value)} ({limits})"


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _plain(value: float) -> str:
    return f"{value:.3f}"


def _with_margin(value: float, low: float | None, high: float | None) -> str:
    """``+0.756 ± 0.310``: Wald's intervals are symmetric, so one figure tells both limits."""
    if low is None or high is None:
        return f"{value:+.3f} ± ?"
    if value == low == high:
        return "reference"
    return f"{value:+.3f} ± {(high - low) / 2:.3f}"


def _name(key: str, heading: str) -> Column:
    return Column(heading, (key,), str, numeric=False)


def _one(key: str, heading: str, write: Callable[..., str] = str, narrow: str = "") -> Column:
    return Column(heading, (key,), write, narrow=narrow)


def _joined(heading: str, keys: tuple[str, ...], write: Callable[..., str]) -> Column:
    return Column(heading, keys, write)


def _score_of(*keys: str) -> Column:
    return Column("won–lost–tied", keys, _score, narrow="won–lost–\ntied")


def _score(won: int, lost: int, tied: int) -> str:
    return f"{won}–{lost}–{tied}"


def _captioned(analysis: Analysis, text: str) -> str:
    models = models_asked(analysis)
    return f"{text}. {models}" if models else text


def _models_of(analysis: Analysis) -> dict[str, str | None]:
    return {player.name: player.model for player in analysis.players}


_TESTS = (
    _one("se", "SE", _plain),
    _one("z", "z", _signed),
    _one("p", "p", p_text),
    _one("p_holm", "p (Holm)", p_text),
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
    keys = (
        *("name", "model", "battles", "wins", "losses", "ties"),
        *("win_rate", "wilson_low", "wilson_high", "beta", "se", "ci_low", "ci_high"),
        *("fallback_rate", "forfeits"),
    )
    return Table(
        "players",
        _captioned(
            analysis,
            f"Players: Bradley–Terry strength β against {analysis.reference} "
            f"({analysis.method}, {errors}; 95 % intervals)",
        ),
        keys,
        tuple(tuple(getattr(p, key) for key in keys) for p in order),
        (
            _name("name", "player"),
            _score_of("wins", "losses", "ties"),
            _joined("win rate (95 %)", ("win_rate", "wilson_low", "wilson_high"), _percent_between),
            _joined("β ± 95 %", ("beta", "ci_low", "ci_high"), _with_margin),
            _one("fallback_rate", "fallbacks", _percent, narrow="fall-\nbacks"),
            _one("forfeits", "forfeits", narrow="for-\nfeits"),
        ),
    )


def _pairwise(analysis: Analysis) -> Table:
    models = _models_of(analysis)
    return Table(
        "pairwise",
        _captioned(analysis, f"Differences of strength: Wald tests ({FAMILIES['pairwise']})"),
        ("a", "b", "beta_diff", "se", "z", "p", "p_holm", "model_a", "model_b"),
        tuple(
            (r.a, r.b, r.beta_diff, r.se, r.z, r.p, r.p_holm, models.get(r.a), models.get(r.b))
            for r in analysis.pairwise
        ),
        (_name("a", "a"), _name("b", "b"), _one("beta_diff", "β(a) − β(b)", _signed), *_TESTS),
    )


def _contrasts(analysis: Analysis) -> Table:
    models = _models_of(analysis)
    return Table(
        "contrasts",
        _captioned(analysis, f"Contrasts: Wald tests ({FAMILIES['contrasts']})"),
        ("name", "estimate", "se", "z", "p", "p_holm", "models"),
        tuple(
            (
                r.name,
                r.estimate,
                r.se,
                r.z,
                r.p,
                r.p_holm,
                _distinct(models.get(name) for name, weight in r.weights.items() if weight),
            )
            for r in analysis.contrasts
        ),
        (_name("name", "contrast"), _one("estimate", "estimate", _signed), *_TESTS),
    )


def _distinct(models: Iterable[str | None]) -> str | None:
    return "; ".join(sorted({model for model in models if model is not None})) or None


def _matchups(analysis: Analysis) -> Table:
    models = _models_of(analysis)
    keys = (
        *("a", "b", "wins_a", "wins_b", "ties", "win_rate_a", "wilson_low", "wilson_high"),
        *("binomial_p", "binomial_p_holm"),
    )
    return Table(
        "matchups",
        _captioned(
            analysis,
            f"Matchups: results of a, Wilson 95 % intervals, exact tests ({FAMILIES['matchups']})",
        ),
        (*keys, "model_a", "model_b"),
        tuple(
            (*(getattr(m, key) for key in keys), models.get(m.a), models.get(m.b))
            for m in analysis.matchups
        ),
        (
            _name("a", "a"),
            _name("b", "b"),
            _score_of("wins_a", "wins_b", "ties"),
            _joined(
                "win rate (95 %)", ("win_rate_a", "wilson_low", "wilson_high"), _percent_between
            ),
            _one("binomial_p", "p", p_text),
            _one("binomial_p_holm", "p (Holm)", p_text),
        ),
    )


def _residuals(analysis: Analysis, details: Details) -> Table:
    models = _models_of(analysis)
    fit = details.goodness_of_fit
    degrees = "degree" if fit.degrees == 1 else "degrees"
    tested = (
        f"χ² = {fit.statistic:.2f}, {fit.degrees} {degrees} of freedom, p = {p_text(fit.p)}"
        if fit.statistic is not None
        else "no matchups to spare for a test"
    )
    cycles = [" > ".join([*t.cycle, t.cycle[0]]) for t in details.triads if t.cycle is not None]
    circles = f"; observed cycles: {', '.join(cycles)}" if cycles else ""
    return Table(
        "fit",
        _captioned(analysis, f"Fit of the model: {tested}{circles}"),
        ("a", "b", "battles", "observed", "fitted", "standardised", "model_a", "model_b"),
        tuple(
            (
                r.a,
                r.b,
                r.battles,
                r.observed,
                r.fitted,
                r.standardised,
                models.get(r.a),
                models.get(r.b),
            )
            for r in details.residuals
        ),
        (
            _name("a", "a"),
            _name("b", "b"),
            _one("battles", "battles"),
            _one("observed", "points a", lambda value: f"{value:g}"),
            _one("fitted", "fitted", lambda value: f"{value:.1f}"),
            _one("standardised", "residual", _signed),
        ),
    )


def _pairs(analysis: Analysis, details: Details) -> Table:
    known = details.pair_correlation
    correlation = "unknown" if known is None else f"{known:+.2f}"
    models = _models_of(analysis)
    return Table(
        "pairs",
        _captioned(
            analysis,
            f"Analysis by pair (correlation within pairs over all matchups: {correlation})",
        ),
        (
            *("matchup", "pairs", "correlation", "win_rate", "low", "high", "design_effect", "p"),
            "models",
        ),
        tuple(
            (
                name,
                r.pairs,
                r.correlation,
                r.win_rate,
                r.low,
                r.high,
                r.design_effect,
                r.p,
                _distinct(models.get(player) for player in name.split(" against ")),
            )
            for name, r in details.pairs.items()
        ),
        (
            _name("matchup", "matchup"),
            _one("pairs", "pairs"),
            _one("correlation", "correlation", _signed, narrow="corre-\nlation"),
            _joined("win rate a (95 %)", ("win_rate", "low", "high"), _percent_between),
            _one("design_effect", "variance ratio", _plain, narrow="variance\nratio"),
            _one("p", "p", p_text),
        ),
    )


def _sensitivity(analysis: Analysis, details: Details) -> Table:
    whole = {player.name: player for player in analysis.players}
    rows: list[tuple[Cell, ...]] = []
    for variant in details.sensitivity:
        if variant.analysis is None:
            rows.append((variant.name, variant.left_out, None, None, None, None, None))
            continue
        rows += [
            (
                variant.name,
                variant.left_out,
                p.name,
                p.win_rate,
                p.beta,
                whole[p.name].beta if p.name in whole else None,
                p.model,
            )
            for p in variant.analysis.players
        ]
    return Table(
        "sensitivity",
        _captioned(analysis, "Sensitivity: the same analysis without some battles"),
        ("variant", "left_out", "player", "win_rate", "beta", "beta_all", "model"),
        tuple(rows),
        (
            _name("variant", "battles"),
            _one("left_out", "left out", narrow="left\nout"),
            _name("player", "player"),
            _one("win_rate", "win rate", _percent),
            _one("beta", "β", _signed),
            _one("beta_all", "β of all", _signed),
        ),
    )
