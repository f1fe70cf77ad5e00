"""The analysis as a whole: the JSON contract, families, order, unknowns, early stops."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest

from porimon.errors import PorimonError, UserInputError
from porimon.stats.analysis import Options, analyze_battles, analyze_counts
from porimon.stats.battles import BattleRow, MatchupCounts
from porimon.stats.details import by_stage, details_of_battles
from porimon.stats.results import as_document
from porimon.stats.sensitivity import sensitivity

COUNTS = [
    MatchupCounts("h", "p", 180, 318, 2),
    MatchupCounts("lt0", "h", 330, 170),
    MatchupCounts("lt0", "p", 270, 230),
]

PLAYER_KEYS = [
    "name",
    "battles",
    "wins",
    "losses",
    "ties",
    "win_rate",
    "wilson_low",
    "wilson_high",
    "beta",
    "se",
    "ci_low",
    "ci_high",
    "fallback_rate",
    "forfeits",
]


def row(winner: str | None, number: int, **changes: object) -> BattleRow:
    """A battle of h against p in pairs."""
    base = BattleRow(
        "m",
        "comparison",
        "h",
        "p",
        winner,
        number // 2,
        number,
        0,
        1,
        20,
        20,  # type: ignore[arg-type]
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def rows_of(text: str) -> list[BattleRow]:
    """Battles from a text of winners such as "ab-" (a tie)."""
    return [row(None if letter == "-" else letter, i) for i, letter in enumerate(text)]


def test_the_document_has_the_promised_keys_and_nothing_else() -> None:
    document = analyze_counts(COUNTS, Options(contrasts=("p < lt0",))).document()
    assert list(document) == [
        "reference",
        "players",
        "pairwise",
        "contrasts",
        "matchups",
        "warnings",
    ]
    assert list(document["players"][0]) == PLAYER_KEYS
    assert list(document["pairwise"][0]) == ["a", "b", "beta_diff", "se", "z", "p", "p_holm"]
    assert list(document["contrasts"][0]) == [
        "name",
        "weights",
        "estimate",
        "se",
        "z",
        "p",
        "p_holm",
    ]
    assert list(document["matchups"][0]) == [
        "a",
        "b",
        "wins_a",
        "wins_b",
        "ties",
        "win_rate_a",
        "wilson_low",
        "wilson_high",
        "binomial_p",
        "binomial_p_holm",
    ]
    json.dumps(document, allow_nan=False)


def test_counts_and_rates_by_hand() -> None:
    document = analyze_counts(COUNTS).document()
    players = {player["name"]: player for player in document["players"]}
    assert document["reference"] == "h"
    assert players["h"]["battles"] == 1000
    assert (players["h"]["wins"], players["h"]["losses"], players["h"]["ties"]) == (350, 648, 2)
    assert players["h"]["win_rate"] == 351 / 1000
    assert (players["h"]["beta"], players["h"]["se"]) == (0.0, 0.0)
    assert players["p"]["fallback_rate"] is None
    assert players["p"]["forfeits"] is None
    matchup = document["matchups"][1]
    assert (matchup["a"], matchup["b"], matchup["wins_a"], matchup["ties"]) == ("h", "p", 180, 2)
    assert matchup["win_rate_a"] == 181 / 500


def test_intervals_and_differences_agree_with_each_other() -> None:
    analysis = analyze_counts(COUNTS)
    players = {player.name: player for player in analysis.players}
    for test in analysis.pairwise:
        first, second = players[test.a].beta, players[test.b].beta
        assert first is not None
        assert second is not None
        assert test.beta_diff == pytest.approx(first - second, abs=1e-12)
    strong = players["lt0"]
    assert strong.beta is not None
    assert strong.se is not None
    assert strong.ci_high == pytest.approx(strong.beta + 1.959964 * strong.se, abs=1e-6)


def test_order_and_orientation_of_rows_change_not_one_byte() -> None:
    expected = json.dumps(analyze_counts(COUNTS).document())
    generator = random.Random(3)
    for _ in range(10):
        turned = [
            MatchupCounts(r.player_b, r.player_a, r.wins_b, r.wins_a, r.ties)
            if generator.random() < 0.5
            else r
            for r in COUNTS
        ]
        generator.shuffle(turned)
        assert json.dumps(analyze_counts(turned).document()) == expected


def test_order_of_battles_changes_not_one_byte() -> None:
    rows = rows_of("abbbabab-a" * 12)
    expected = json.dumps(analyze_battles(rows).document())
    random.Random(1).shuffle(rows)
    assert json.dumps(analyze_battles(rows).document()) == expected


def test_split_counts_equal_their_sum() -> None:
    split = [MatchupCounts("h", "p", 100, 200, 2), MatchupCounts("p", "h", 118, 80), *COUNTS[1:]]
    assert analyze_counts(split).document() == analyze_counts(COUNTS).document()


def test_battles_and_their_counts_agree_but_for_what_counts_cannot_know() -> None:
    rows = rows_of("abbbabab-a" * 12)
    from_rows = analyze_battles(rows, Options(standard_errors="information")).document()
    counts = [MatchupCounts("h", "p", 48, 60, 12)]
    from_counts = analyze_counts(counts).document()
    for player in from_rows["players"]:
        del player["fallback_rate"], player["forfeits"]
    for player in from_counts["players"]:
        del player["fallback_rate"], player["forfeits"]
    assert from_rows == from_counts


def test_paired_battles_get_clustered_errors() -> None:
    """All pairs split: the battles tell much more than independent ones would."""
    rows = rows_of("ab" * 30 + "aa" * 5 + "bb" * 5)
    paired, independent = (
        analyze_battles(rows, Options(standard_errors=kind)).players[1].se  # type: ignore[arg-type]
        for kind in ("auto", "information")
    )
    assert paired is not None
    assert independent is not None
    assert paired == pytest.approx(independent * math.sqrt(0.5), rel=0.05)


def test_without_h_the_alphabetically_first_is_the_reference_and_it_says_so() -> None:
    analysis = analyze_counts([MatchupCounts("zeta", "alpha", 5, 4)])
    assert analysis.reference == "alpha"
    assert any("'alpha' is the reference" in warning for warning in analysis.warnings)


def test_a_wrong_reference_gets_the_nearest_name() -> None:
    with pytest.raises(UserInputError) as caught:
        analyze_counts(COUNTS, Options(reference="lt"))
    assert "did you mean 'lt0'?" in str(caught.value)


def test_holm_families_are_the_three_tables() -> None:
    """The smallest of three p-values is multiplied by three; a single contrast by one."""
    analysis = analyze_counts(COUNTS, Options(contrasts=("p < lt0",)))
    smallest = min(analysis.pairwise, key=lambda test: test.p or 1.0)
    assert smallest.p is not None
    assert smallest.p_holm == pytest.approx(3 * smallest.p)
    assert analysis.contrasts[0].p_holm == analysis.contrasts[0].p
    exact = min(analysis.matchups, key=lambda test: test.binomial_p or 1.0)
    assert exact.binomial_p is not None
    assert exact.binomial_p_holm == pytest.approx(3 * exact.binomial_p)


def test_fallbacks_and_forfeits_are_counted_for_the_right_player() -> None:
    """p falls back once in 20 decisions of each battle; h forfeits one battle."""
    rows = rows_of("abab")
    rows[1] = replace(rows[1], forfeit=True)
    players = {player.name: player for player in analyze_battles(rows).players}
    assert (players["h"].fallback_rate, players["p"].fallback_rate) == (0.0, 0.05)
    assert (players["h"].forfeits, players["p"].forfeits) == (1, 0)


def test_an_unknown_number_of_decisions_is_unknown_not_zero() -> None:
    rows = rows_of("abab")
    rows[0] = replace(rows[0], decisions_b=None, fallbacks_b=None)
    players = {player.name: player for player in analyze_battles(rows).players}
    assert players["p"].fallback_rate is None
    assert players["h"].fallback_rate == 0.0


def test_battles_against_oneself_are_left_out_with_a_warning() -> None:
    rows = [*rows_of("abab"), row("a", 9, player_b="h")]
    analysis = analyze_battles(rows)
    assert analysis.players[0].battles == 4
    assert any("against itself" in warning for warning in analysis.warnings)


def test_a_matchup_stopped_early_has_no_exact_test() -> None:
    rows = [replace(battle, stopped_early=True) for battle in rows_of("aaab" * 30)]
    analysis = analyze_battles(rows)
    assert analysis.matchups[0].binomial_p is None
    assert analysis.matchups[0].binomial_p_holm is None
    assert any("stopped early" in warning for warning in analysis.warnings)
    (decision,) = details_of_battles(rows, analysis).early_stops.values()
    assert decision.state == "a_better"
    assert decision.p <= 0.05


def test_no_battles_is_the_users_mistake() -> None:
    with pytest.raises(UserInputError, match="no battles"):
        analyze_counts([MatchupCounts("a", "b", 0, 0)])


def test_a_player_without_battles_is_named() -> None:
    analysis = analyze_counts([*COUNTS, MatchupCounts("h", "ghost", 0, 0)])
    assert "no battles, left out: ghost" in analysis.warnings


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1, 2.5])
def test_counts_that_are_no_counts_are_refused(wrong: float) -> None:
    with pytest.raises(UserInputError, match="wins_a"):
        MatchupCounts("a", "b", wrong, 1)  # type: ignore[arg-type]


def test_the_document_refuses_what_is_not_finite() -> None:
    broken = replace(analyze_counts(COUNTS).players[0], beta=math.inf)
    with pytest.raises(PorimonError, match="not finite"):
        as_document(broken)


def test_sensitivity_leaves_out_what_it_says() -> None:
    """Ten battles: in one the loser fell back, in one the winner did, one was forfeited."""
    quiet = {"fallbacks_a": 0, "fallbacks_b": 0}
    rows = [replace(battle, **quiet) for battle in rows_of("abbaabbaab")]  # type: ignore[arg-type]
    rows[0] = replace(rows[0], fallbacks_b=2)
    rows[1] = replace(rows[1], fallbacks_b=1)
    rows[2] = replace(rows[2], forfeit=True)
    variants = {variant.name: variant for variant in sensitivity(rows)}
    assert [variant.left_out for variant in variants.values()] == [1, 2, 3]
    decided = variants["without battles decided by fallbacks or forfeits"].analysis
    assert decided is not None
    assert [(p.name, p.wins) for p in decided.players] == [("h", 4), ("p", 4)]


def test_sensitivity_is_empty_where_nothing_is_left_out() -> None:
    rows = [replace(battle, fallbacks_b=0) for battle in rows_of("abab")]
    assert sensitivity(rows) == []


def test_sensitivity_says_when_a_player_has_no_battle_left() -> None:
    (first, *_) = sensitivity([replace(battle, forfeit=True) for battle in rows_of("abab")])
    assert first.analysis is None


def test_stages_are_analysed_one_by_one() -> None:
    """Two stages that contradict each other; each is judged by its own battles."""
    rows = rows_of("aaab" * 5)
    other = [replace(battle, stage="second") for battle in rows_of("bbba" * 5)]
    stages = by_stage([*rows, *other])
    assert list(stages) == ["comparison", "second"]
    first, second = (stages[name].matchups[0].win_rate_a for name in stages)
    assert (first, second) == (0.75, 0.25)
    assert by_stage(rows) == {}


def test_details_are_json_too() -> None:
    rows = rows_of("abbbabab-a" * 12)
    analysis = analyze_battles(rows)
    document = details_of_battles(rows, analysis).document(analysis)
    text = json.dumps(document, allow_nan=False)
    assert "standard_errors" in text
    assert document["method"] == "maximum likelihood"
