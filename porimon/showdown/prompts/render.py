"""Build a decision's prompt: a pure function of view, log, facts and retrieved experiences.

A folder of templates makes a prompt: every ``*.jinja`` file in it is one section, in the order of
the numbers in their names; files named ``system_…`` form the system message, the others the user
message. What renders to nothing is left out. The stable part comes first, since providers cache
prefixes. ``templates/README.md`` describes the variables and the format of lines.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
import jinja2.meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from porimon.config.player import PlayerConfig, PromptStyle
from porimon.errors import UserInputError
from porimon.llm.model import Message
from porimon.showdown.facts.model import Facts
from porimon.showdown.prompts.context import (
    Experience,
    Refusal,
    Step,
    options_of,
    shown_team,
    team_attacking_types,
)
from porimon.showdown.prompts.phrases import FILTERS, Strict
from porimon.showdown.view.model import BattleView, LegalOrder


class _OwnEnvironment(jinja2.Environment):
    """For the package's own templates, whose dots are plain attributes.

    A prompt takes some 450 of them. Jinja's own way tries items as well, and gives a misspelt name
    to ``undefined``; here it raises ``AttributeError``, which ``render_prompt`` tells likewise.
    """

    getattr = staticmethod(builtins.getattr)  # type: ignore[assignment]


PACKAGE_TEMPLATES = Path(__file__).parent / "templates"
_KEPT_TEXTS = 512
_NUMBERED = re.compile(r"^(system_)?(\d+)_([a-z_]+)$")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as named sections, in the order sent; those named ``system…`` come first."""

    sections: tuple[tuple[str, str], ...]

    def messages(self) -> tuple[Message, ...]:
        """The system message and the user message, sections parted by an empty line."""
        parts: dict[bool, list[str]] = {True: [], False: []}
        for name, text in self.sections:
            parts[name.startswith("system")].append(text)
        system = Message("system", "\n\n".join(parts[True]))
        return (system, Message("user", "\n\n".join(parts[False])))

    @property
    def text(self) -> str:
        """The whole prompt as a reader sees it, each section under its name."""
        return "\n\n".join(f"=== {name} ===\n{text}" for name, text in self.sections) + "\n"


_SELDOM_NEW = frozenset(
    {"answer_format", "experiences", "extended", "proposals", "refusal", "step", "thought"}
)
"""Variables that are mostly what they were at the last decision; all can be compared."""
_OF_THE_POSITION = frozenset(
    {
        "active", "facts", "foe", "forced", "log", "opponent", "options", "own",
        "own_attacking_types", "view",
    }
)  # fmt: skip
"""All other variables."""


@dataclass(frozen=True, slots=True)
class Section:
    """One compiled template. ``depends_on`` are the variables by which its text may be kept from
    one decision to the next; ``None``: it says something of the position."""

    name: str
    template: jinja2.Template
    depends_on: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PromptTemplates:
    """The sections of one folder, in order."""

    folder: Path
    sections: tuple[Section, ...]
    kept: dict[tuple[object, ...], str] = field(default_factory=dict, compare=False, repr=False)
    """Texts of sections by their name and the values that they depend on."""


def load_templates(style: PromptStyle, folder: str | None = None) -> PromptTemplates:
    """The templates of the package for ``style``, or those in the user's ``folder``.

    A user's folder may hold the sections itself or in a sub-folder named like the style. Raises
    ``UserInputError`` if there is none or a template cannot be used.
    """
    chosen = PACKAGE_TEMPLATES / style
    if folder is not None:
        chosen = Path(folder).expanduser().resolve()
        if (chosen / style).is_dir():
            chosen = chosen / style
    return _compiled(chosen)


@lru_cache(maxsize=32)
def _compiled(folder: Path) -> PromptTemplates:
    if not folder.is_dir():
        raise UserInputError(
            "the folder of prompt templates does not exist",
            where=str(folder),
            remedy=f"copy {PACKAGE_TEMPLATES} and set `prompts` to the copy",
        )
    files = [file for file in folder.glob("*.jinja") if not file.name.startswith("_")]
    numbered = sorted((_place(file), file) for file in files)
    if not any(for_user for (for_user, _, _), _ in numbered):
        raise UserInputError(
            "the folder holds no template for the user message",
            where=str(folder),
            remedy="name a section such as 1_situation.jinja",
        )
    # The sandbox looks at every attribute, which is most of a prompt's time: templates of the
    # package itself need none.
    own = folder.is_relative_to(PACKAGE_TEMPLATES)
    environment = (_OwnEnvironment if own else ImmutableSandboxedEnvironment)(
        loader=jinja2.FileSystemLoader([folder, PACKAGE_TEMPLATES]),
        undefined=Strict,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        # A run keeps to the templates that it began with, and need not look at their dates.
        auto_reload=False,
    )
    environment.filters.update(FILTERS)
    sections = []
    for (for_user, _, name), file in numbered:
        try:
            template = environment.get_template(file.name)
        except jinja2.TemplateError as error:
            raise _template_error(file, error) from error
        sections.append(
            Section(
                name if for_user else f"system_{name}",
                template,
                _depends_on(environment, file.name) if own else None,
            )
        )
    return PromptTemplates(folder, tuple(sections))


def _depends_on(environment: jinja2.Environment, name: str) -> tuple[str, ...] | None:
    """The variables of a template and what it includes, where all of them are seldom new."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        assert environment.loader is not None
        source = environment.loader.get_source(environment, waiting.pop())[0]
        tree = environment.parse(source)
        found |= jinja2.meta.find_undeclared_variables(tree)
        for included in jinja2.meta.find_referenced_templates(tree):
            if included is None:  # its name is only known when it is rendered
                return None
            waiting.append(included)
    # What is in neither is a template's own variable.
    return None if found & _OF_THE_POSITION else tuple(sorted(found & _SELDOM_NEW))


def _place(file: Path) -> tuple[bool, int, str]:
    found = _NUMBERED.match(file.stem)
    if found is None:
        raise UserInputError(
            f"the template {file.name!r} has no place in the prompt",
            where=str(file),
            remedy="name it <number>_<section>.jinja or system_<number>_<section>.jinja; "
            "a file to be included starts with _",
        )
    # False sorts before True: the system's sections come first.
    return (found[1] is None, int(found[2]), found[3])


def _template_error(file: Path, error: jinja2.TemplateError) -> UserInputError:
    number = getattr(error, "lineno", None)
    place = f"{file}:{number}" if number else str(file)
    return UserInputError(
        f"the prompt template cannot be used: {error}",
        where=place,
        remedy="see README.md in the folder of templates for the variables and filters",
    )


def render_prompt(
    view: BattleView,
    log_text: str,
    facts: Facts,
    config: PlayerConfig,
    templates: PromptTemplates,
    *,
    experiences: Sequence[Experience] = (),
    step: Step = "decide",
    proposals: Sequence[LegalOrder] = (),
    refusal: Refusal | None = None,
) -> Prompt:
    """The prompt for one call of one decision.

    Parameters
    ----------
    log_text:
        The last turns in sentences (Short-Term KAG, Porimon §II-B); empty if there are none.
    experiences:
        Retrieved experiences, best first (Long-Term KAG, Porimon §II-C).
    step, proposals:
        Where in a ``tot`` decision the call stands, and the options proposed so far.
    refusal:
        Why the last answer could not be used, for a retry.

    Raises
    ------
    UserInputError
        A template refers to something that does not exist.
    """
    own = shown_team(view.own.team, facts.own, facts.matchups)
    foe = shown_team(view.foe.team, facts.foe, ())
    variables = {
        "view": view,
        "facts": facts,
        "own": own,
        "foe": foe,
        "active": next((one for one in own if one.view.active), None),
        "opponent": next((one for one in foe if one.view.active), None),
        "options": options_of(view, facts, own),
        "own_attacking_types": team_attacking_types(own),
        "forced": view.forced_switch,
        "log": log_text,
        "experiences": tuple(experiences),
        "extended": config.knowledge == "extended",
        "answer_format": config.answer_format,
        "thought": config.mode == "cot",
        "step": step,
        "proposals": tuple(proposals),
        "refusal": refusal,
    }
    # One dictionary for all sections: ``render`` would make one for each.
    everything = {**templates.sections[0].template.globals, **variables}
    found = [
        (section.name, _text(section, everything, templates)) for section in templates.sections
    ]
    return Prompt(tuple([(name, text) for name, text in found if text]))


def _text(section: Section, variables: dict[str, Any], templates: PromptTemplates) -> str:
    """The section's text: the one that was kept, where nothing that it depends on has changed."""
    if section.depends_on is None:
        return _rendered(section.template, variables, templates.folder)
    key = (section.name, *[variables[each] for each in section.depends_on])
    text = templates.kept.get(key)
    if text is None:
        if len(templates.kept) >= _KEPT_TEXTS:
            templates.kept.clear()
        text = templates.kept[key] = _rendered(section.template, variables, templates.folder)
    return text


def _rendered(template: jinja2.Template, variables: dict[str, Any], folder: Path) -> str:
    try:
        environment = template.environment
        context = environment.context_class(environment, variables, template.name, template.blocks)
        return "".join(template.root_render_func(context)).strip()
    except (jinja2.TemplateError, TypeError, AttributeError) as error:
        # TypeError and AttributeError: a user's template misuses a filter.
        wrapped = (
            error if isinstance(error, jinja2.TemplateError) else jinja2.TemplateError(str(error))
        )
        raise _template_error(folder / (template.name or ""), wrapped) from error
