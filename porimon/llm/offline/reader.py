"""The offline reader: reads a prompt, judges its options, answers in the asked format.

It is no language model, and sees nothing but the text that a language model would be sent. The
same prompt gives the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from porimon.llm.model import AnswerFormat, Message
from porimon.llm.offline.judging import Judgement, judge
from porimon.llm.offline.reading import Option, read_situation, without_fences
from porimon.llm.offline.reflecting import asks_to_reflect, reflect
from porimon.llm.offline.wording import word_answer
from porimon.llm.settings import OFFLINE_READER_LABEL

_NUMBERED = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*])\s+([^|\n]{1,60})", re.MULTILINE)


class OfflineReader:
    """A policy for ``FakeEndpoint``. It keeps no state."""

    name = "offline-reader"
    description = OFFLINE_READER_LABEL

    def answer(self, messages: Sequence[Message], answer_format: AnswerFormat) -> str:
        """The answer to a conversation: an order, or a reflection where one is asked for."""
        asked = "\n\n".join(message.content for message in messages)
        if asks_to_reflect(asked):
            return reflect(asked, answer_format)
        situation = read_situation(messages)
        best_first = judge(situation) or _first_listed(messages, answer_format)
        return word_answer(best_first, without_fences(asked), answer_format)


def _first_listed(messages: Sequence[Message], answer_format: AnswerFormat) -> list[Judgement]:
    """When no option was recognised: what the schema lists first, else the first item of a list."""
    labels = _enumerated(answer_format.schema)
    if not labels:
        labels = [found.strip() for found in _NUMBERED.findall(messages[-1].content)]
    label = labels[0] if labels else "pass"
    return [Judgement(Option(label, "move"), 0.0, "it is the first one listed")]


def _enumerated(schema: object) -> list[str]:
    """The strings of the first enumeration in a JSON schema."""
    if isinstance(schema, dict):
        values = schema.get("enum")
        if isinstance(values, list):
            return [value for value in values if isinstance(value, str)]
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            if found := _enumerated(inner):
                return found
    return []
