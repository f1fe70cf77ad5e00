"""Puts a run together: file, record, models, game; plays it; says how it ended.

This is the one place that knows all the rooms. The command line calls it; so may a notebook.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porimon
from porimon.collector import loaded_objects_stay
from porimon.config.load import TournamentFile, load_tournament
from porimon.config.player import PlayerConfig
from porimon.errors import RunStopped, UserInputError

if TYPE_CHECKING:
    from porimon.llm.settings import ModelSettings
    from porimon.tournament.game import Game
    from porimon.tournament.progress import ProgressListener
    from porimon.tournament.stop import StopSignal

RUNS_FOLDER = Path("runs")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a user asked to be run."""

    file: Path
    out: Path | None = None
    changes: tuple[str, ...] = ()
    llm_file: Path | None = None
    server: str | None = None
    mixed: bool = False
    simulators: int = 1
    workers: int = 1
    """Processes that play battles; 1: this one."""
    ray: str | None = None
    """A Ray cluster's address, ``local`` to start one on this machine, ``None`` for none."""
    resume: str = field(default="")
    """The command that goes on with this run, for messages."""

    def loaded(self) -> TournamentFile:
        """The tournament file with the changes of the command line."""
        return load_tournament(self.file, self.changes)


def run_folder(request: RunRequest, tournament: TournamentFile) -> Path:
    """Where the run's record goes: ``--out``, or ``runs/NAME`` below the working directory.

    Raises ``UserInputError`` for a name that would lead elsewhere.
    """
    if request.out is not None:
        return request.out
    name = tournament.settings.name
    # A file may come from somebody else: its name must not lead out of the folder of runs.
    if name in (".", "..") or any(letter in "/\\" or not letter.isprintable() for letter in name):
        raise UserInputError(
            f"the tournament's name {name!r} cannot be a folder's name",
            where=str(tournament.path),
            remedy="change it, or say with --out where the run goes",
        )
    return RUNS_FOLDER / name


def resume_command(request: RunRequest, folder: Path) -> str:
    """The exact command that goes on with a run."""
    parts = ["porimon", "run", str(request.file), "--out", str(folder)]
    for change in request.changes:
        parts += ["--set", change]
    if request.llm_file is not None:
        parts += ["--llm-file", str(request.llm_file)]
    if request.server is not None:
        parts += ["--server", request.server]
    if request.workers != 1:
        parts += ["--workers", str(request.workers)]
    if request.ray is not None:
        parts += ["--ray", request.ray]
    return shlex.join(parts)


def plan_document(tournament: TournamentFile) -> dict[str, Any]:
    """What fixes the battles to be played; a run's folder belongs to one such document.

    Speed, deadlines and budgets may change from one process to the next. A matchup's concurrency
    is part of the plan only with Long-Term KAG, where it decides what a battle may read.
    """
    plan = tournament.settings.model_dump(
        mode="json", exclude={"concurrency", "budget", "battle_seconds", "failures_before_pause"}
    )
    if any(player.memory is not None for player in tournament.players.values()):
        plan["concurrency"] = {"per_matchup": tournament.settings.concurrency.per_matchup}
    return plan


def used_models(tournament: TournamentFile, llm_file: Path | None) -> dict[str, ModelSettings]:
    """The settings of every language model that a player of the file asks.

    Raises ``UserInputError`` for a model that no file of models has.
    """
    from porimon.config.toml import nearest
    from porimon.llm.settings import load_models

    known = load_models(llm_file)
    wanted = sorted({player.llm for player in tournament.players.values() if player.llm})
    for name in wanted:
        if name not in known:
            right = nearest(name, known)
            raise UserInputError(
                f"there is no language model {name!r}",
                where=f"{tournament.path} or --llm",
                remedy=f"did you mean {right!r}?"
                if right
                else f"known: {', '.join(sorted(known))}",
            )
    return {name: known[name] for name in wanted}


async def launch(
    request: RunRequest,
    listener: ProgressListener,
    say: Callable[[str], None] | None = None,
) -> Path:
    """Play what is missing of a run; the run's folder, once everything is played.

    ``say`` gets one line for each step of set-up that takes time (the Node parts' first run).

    Raises ``RunStopped`` (resumable), ``UserInputError``, ``MachineSetupError`` or ``RecordError``.
    """
    from porimon.launch_game import Spread, open_game

    tournament = request.loaded()
    folder = run_folder(request, tournament)
    prepared = PreparedRun(
        tournament=tournament,
        plan=plan_document(tournament),
        folder=folder,
        models=used_models(tournament, request.llm_file),
        resume=resume_command(request, folder),
        mixed=request.mixed,
    )
    game = open_game(
        tournament.settings,
        folder,
        Spread(request.workers, request.ray, request.server, request.simulators),
        say,
    )
    await play_prepared(prepared, game, listener)
    return folder


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Everything of a run but its game: what is played by whom, asking what, recorded where.

    ``plan`` is what the folder belongs to, ``resume`` the command that goes on, for messages.
    """

    tournament: TournamentFile
    plan: dict[str, Any]
    folder: Path
    models: dict[str, ModelSettings]
    resume: str
    mixed: bool = False


async def play_prepared(
    prepared: PreparedRun,
    game_context: contextlib.AbstractAsyncContextManager[Game],
    listener: ProgressListener,
) -> None:
    """Play what is missing of a prepared run; ``game_context`` gives the game when entered.

    Raises as ``launch`` does.
    """
    from porimon.llm.budget import Budget, BudgetedModel, Spent
    from porimon.llm.model import LanguageModel
    from porimon.llm.start import open_model
    from porimon.tournament.cards import harness_card
    from porimon.tournament.early import rule_of
    from porimon.tournament.matchup_run import RunContext
    from porimon.tournament.plan import planned_matchups
    from porimon.tournament.record.lock import RunLock
    from porimon.tournament.record.run_record import RunRecord
    from porimon.tournament.run import TournamentRun
    from porimon.tournament.stop import StopSignal

    settings = prepared.tournament.settings
    models = prepared.models
    Budget(cost=settings.budget.cost).require_prices(list(models.values()))
    _make_folder(prepared.folder)
    stop = StopSignal()
    async with contextlib.AsyncExitStack() as stack:
        # Outermost: setting up and clearing away take seconds too.
        stack.enter_context(_stopped_by_signals(stop, prepared.resume))
        stack.enter_context(RunLock(prepared.folder))
        record = await RunRecord.open(
            prepared.folder, prepared.plan, _about(prepared.tournament), mixed=prepared.mixed
        )
        stack.push_async_callback(record.close)
        spent_tokens, spent_cost, spent_seconds = await record.spent()
        if settings.budget.cost is not None and spent_cost is None:
            raise UserInputError(
                "a cost budget must know what the run has cost so far, "
                "and the cost of some of its calls is unknown",
                where=str(prepared.folder),
                remedy="limit the tokens instead: --set budget.tokens=…",
            )
        minutes = settings.budget.minutes
        budget = Budget(
            cost=settings.budget.cost,
            tokens=settings.budget.tokens,
            seconds=None if minutes is None else 60 * minutes,
            spent=Spent(spent_cost or 0.0, spent_tokens, spent_seconds),
        )
        opened: dict[str, LanguageModel] = {}
        for name, model_settings in models.items():
            model = await stack.enter_async_context(open_model(model_settings))
            opened[name] = BudgetedModel(model, model_settings, budget)
        game = await stack.enter_async_context(game_context)
        stack.enter_context(loaded_objects_stay())

        def card(player: PlayerConfig) -> dict[str, Any]:
            model = models.get(player.llm) if player.llm is not None else None
            return harness_card(player, model, game.card(player))

        context = RunContext(
            game=game,
            record=record,
            models=opened,
            stop=stop,
            listener=listener,
            places=asyncio.Semaphore(settings.concurrency.battles),
            run_seed=settings.seed,
            paired=settings.paired,
            per_matchup=settings.concurrency.per_matchup,
            failures_before_pause=settings.failures_before_pause,
            card=card,
            check_budget=budget.check,
            early=rule_of(settings.early_stopping, len(planned_matchups(settings)))
            if settings.early_stopping
            else None,
        )
        await TournamentRun(settings, context).play()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserInputError(
            f"the run's folder cannot be made: {error.strerror}",
            where=str(folder),
            remedy="choose another with --out",
        ) from error


def _about(tournament: TournamentFile) -> dict[str, str]:
    return {
        "name": tournament.settings.name,
        "code_version": porimon.__version__,
        "python": platform.python_version(),
        "system": platform.system(),
    }


@contextlib.contextmanager
def _stopped_by_signals(stop: StopSignal, resume: str) -> Iterator[None]:
    """Ctrl-C once: finish the answers in flight, then stop. Twice, or SIGTERM: stop at once."""
    from porimon.tournament.run import operator_stop

    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def interrupted() -> None:
        at_once = stop.reason is not None or not stop.watched
        stop.request(operator_stop(resume))
        if at_once:
            task.cancel()

    def terminated() -> None:
        stop.request(operator_stop(resume))
        task.cancel()

    handled = {signal.SIGINT: interrupted, signal.SIGTERM: terminated}
    if threading.current_thread() is not threading.main_thread():
        handled = {}  # signals belong to whoever owns the main thread (a notebook)
    for number, handler in handled.items():
        loop.add_signal_handler(number, handler)
    try:
        yield
    except asyncio.CancelledError:
        if stop.reason is None:
            raise
        task.uncancel()
        raise stop.reason from None
    except RunStopped as reason:
        if reason.remedy is None or "go on" not in reason.remedy:
            reason.remedy = (
                f"{reason.remedy}; then go on with: {resume}"
                if reason.remedy
                else (f"go on with: {resume}")
            )
        elif resume not in reason.remedy:
            reason.remedy = f"{reason.remedy}: {resume}"
        raise
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
