"""Every error that Porimon raises on purpose, split by who must act.

An error says what was wrong, where, and what would mend it. The command line turns the family into
an exit code: the user's input 2, the machine's set-up 3, a run that stopped early and can go on 4.
"""

from __future__ import annotations


class PorimonError(Exception):
    """Base of all errors raised on purpose.

    Parameters
    ----------
    what:
        What was wrong, as one sentence.
    where:
        The place: a file and line, a setting, a battle; ``None`` where there is none to name.
    remedy:
        What would mend it, ideally the exact command or the right word.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append(f"where: {self.where}")
        if self.remedy:
            parts.append(f"what to do: {self.remedy}")
        return "\n  ".join(parts)


class UserInputError(PorimonError):
    """The user's file, option or argument is wrong: the user must act."""

    exit_code = 2


class MachineSetupError(PorimonError):
    """Something is missing or unusable on this machine: its owner must act."""

    exit_code = 3


class RecordError(PorimonError):
    """A run's record is unreadable, of another version, or in use by another process."""

    exit_code = 2


class RunStopped(PorimonError):
    """A run stopped early and can go on: the operator must act, then resume."""

    exit_code = 4


class ModelAccessError(RunStopped):
    """The endpoint refuses us for good (key, model name, quota): the operator must act."""


class BudgetExhausted(RunStopped):
    """A budget (cost, tokens or wall time) is used up: the operator may enlarge it."""


class ModelUnavailable(PorimonError):
    """The endpoint failed in a passing way after bounded attempts: the battle is put back."""


class ModelAnswerError(PorimonError):
    """The model's answer cannot be used: the model is asked again, up to Tr times.

    ``reason`` is a stable word for records and counts (``not_json``, ``illegal_order`` …).
    """

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(what)
        self.reason = reason


class BattleAborted(PorimonError):
    """A battle could not be finished (server gone, deadline): it is played again from its seed."""
