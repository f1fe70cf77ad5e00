"""The prompt that asks for a reflection: what a model is told of a finished battle (Porimon §II-C).

It holds the result, both teams as far as the player knows them, and the end of the battle's log.
The templates are ``prompts/templates/reflection_*.jinja``; a player's own folder of templates may
replace any of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from porimon.errors import UserInputError
from porimon.memory.experience import Result
from porimon.memory.window import TurnSegments, full_log_text
from porimon.showdown.dex.store import Dex
from porimon.showdown.prompts.context import Refusal
from porimon.showdown.prompts.phrases import FILTERS, Strict, one_line, percent
from porimon.showdown.prompts.render import PACKAGE_TEMPLATES, Prompt
from porimon.showdown.view.model import NO_ITEM, PokemonView

TEMPLATES = {
    "system_reflection": "reflection_1_system.jinja",
    "teams": "reflection_2_teams.jinja",
    "log": "reflection_3_log.jinja",
    "task": "reflection_4_task.jinja",
}
"""Section names and their template files, in the order sent."""

_NAME_LENGTH = 40
_RESULT_WORDS: Mapping[Result, str] = {"win": "won", "loss": "lost", "tie": "tied"}


@dataclass(frozen=True, slots=True)
class FinishedBattle:
    """A finished battle as one of its players saw it.

    ``own_team`` and ``foe_team`` are the last view's teams, of the opponent the revealed Pokémon
    only. ``log`` is the player's log in sentences, all turns. ``retrieved`` says how many of its
    decisions were given each experience.
    """

    battle_id: str
    index: int
    result: Result
    turns: int
    own_team: tuple[PokemonView, ...]
    foe_team: tuple[PokemonView, ...]
    log: tuple[TurnSegments, ...]
    team_size: int = 6
    retrieved: Mapping[str, int] = field(default_factory=dict)

    @property
    def result_word(self) -> str:
        """``won``, ``lost`` or ``tied``."""
        return _RESULT_WORDS[self.result]

    @property
    def own_left(self) -> int:
        """How many of the player's own Pokémon have not fainted."""
        return self.team_size - sum(pokemon.fainted for pokemon in self.own_team)

    @property
    def foe_left(self) -> int:
        """How many of the opponent's Pokémon have not fainted, unseen ones included."""
        return self.team_size - sum(pokemon.fainted for pokemon in self.foe_team)


def team_names(team: Sequence[PokemonView], dex: Dex) -> tuple[str, ...]:
    """A name for each Pokémon of a team, no two alike, by which the model answers."""
    names = []
    seen: Counter[str] = Counter()
    for pokemon in team:
        found = dex.find_species(pokemon.team_species)
        name = found.name if found else one_line(pokemon.name, _NAME_LENGTH) or "unnamed"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def reflection_prompt(
    battle: FinishedBattle,
    dex: Dex,
    *,
    log_characters: int,
    folder: str | None = None,
    refusal: Refusal | None = None,
) -> Prompt:
    """The prompt that asks for a reflection, or asks again and says what was wrong.

    ``log_characters`` is how much of the log's end it holds; ``folder`` the player's own folder of
    templates. Raises ``UserInputError`` if a template of the user's cannot be used.
    """
    own_names, foe_names = team_names(battle.own_team, dex), team_names(battle.foe_team, dex)
    log = full_log_text(battle.log, log_characters)
    variables = {
        "battle": battle,
        "own": _shown(battle.own_team, own_names, dex),
        "foe": _shown(battle.foe_team, foe_names, dex),
        "unseen": max(battle.team_size - len(battle.foe_team), 0),
        "log": log,
        "log_is_cut": log != full_log_text(battle.log),
        "own_shape": _shape(own_names),
        "foe_shape": _shape(foe_names),
        "refusal": refusal,
    }
    sections = []
    environment = _environment(folder)
    for name, file in TEMPLATES.items():
        try:
            text = environment.get_template(file).render(variables).strip()
        except (jinja2.TemplateError, TypeError, AttributeError) as error:
            # TypeError and AttributeError: a user's template misuses a filter or a variable.
            raise UserInputError(
                f"the template of the reflection cannot be used: {error}",
                where=str(Path(folder or PACKAGE_TEMPLATES) / file),
                remedy=f"compare it with {PACKAGE_TEMPLATES / file}",
            ) from error
        if text:
            sections.append((name, text))
    return Prompt(tuple(sections))


@lru_cache(maxsize=8)
def _environment(folder: str | None) -> jinja2.Environment:
    own = [Path(folder).expanduser()] if folder is not None else []
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.FileSystemLoader([*own, PACKAGE_TEMPLATES]),
        undefined=Strict,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters.update(FILTERS)
    return environment


def _shape(names: Sequence[str]) -> str:
    """The object that holds a team's importance, with a number to be filled in for each name."""
    fields = (f"{json.dumps(name, ensure_ascii=False)}: <0-10>" for name in names)
    return "{" + ", ".join(fields) + "}"


def _shown(
    team: Sequence[PokemonView], names: Sequence[str], dex: Dex
) -> list[dict[str, str | int | None]]:
    return [_line_parts(pokemon, name, dex) for pokemon, name in zip(team, names, strict=True)]


def _line_parts(pokemon: PokemonView, name: str, dex: Dex) -> dict[str, Any]:
    """One Pokémon's line; what isn't known is ``None`` and left out."""
    species = dex.find_species(pokemon.team_species)
    ability = pokemon.base_ability or pokemon.ability
    item = pokemon.former_items[0] if pokemon.former_items else pokemon.item
    moves = [found.name for move in pokemon.moves if (found := dex.find_move(move.id))]
    types = species.types if species is not None else pokemon.types
    found_ability = dex.find_ability(ability) if ability is not None else None
    found_item = dex.find_item(item) if item is not None else None
    shown_item = "none" if item == NO_ITEM else found_item.name if found_item else None
    return {
        "name": name,
        "types": "/".join(each.capitalize() for each in types),
        "level": pokemon.level,
        "end": "fainted" if pokemon.fainted else f"HP {percent(pokemon.hp_fraction)} at the end",
        "ability": f"ability: {found_ability.name}" if found_ability else None,
        "item": f"item: {shown_item}" if shown_item else None,
        "moves": f"moves: {', '.join(moves)}" if moves else None,
    }
