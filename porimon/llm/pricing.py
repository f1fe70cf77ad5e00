"""What a call costs, from the prices in the user's file; unknown stays unknown."""

from __future__ import annotations

from porimon.llm.settings import Prices

PER = 1_000_000
"""Prices are per so many tokens."""


def call_cost(
    prices: Prices,
    input_tokens: int | None,
    cached_input_tokens: int | None,
    output_tokens: int | None,
) -> float | None:
    """US dollars of one call, ``None`` where a price or a count that matters is unknown.

    ``cached_input_tokens`` are part of ``input_tokens``. Cached tokens of unknown price or number
    are charged as plain input: the cost is then an upper bound, never too low.
    """
    if prices.input is None or prices.output is None:
        return None
    if input_tokens is None or output_tokens is None:
        return None
    cached = min(cached_input_tokens or 0, input_tokens)
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    dollars = (
        (input_tokens - cached) * prices.input
        + cached * cached_price
        + output_tokens * prices.output
    )
    return dollars / PER
