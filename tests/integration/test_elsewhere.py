"""Our players against others on a real server: challenged, accepting, on the ladder."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from porimon.cli.elsewhere import results_elsewhere
from porimon.config.player import PlayerConfig
from porimon.errors import RunStopped, UserInputError
from porimon.launch_elsewhere import ElsewhereRequest, launch_elsewhere
from porimon.llm.model import Completion, CompletionRequest
from porimon.llm.offline.reader import OfflineReader
from porimon.llm.secrets import Secret
from porimon.memory.of_run import read_memories
from porimon.showdown.dex.store import dex
from porimon.showdown.elsewhere.account import Account
from porimon.showdown.elsewhere.battle import BattleElsewhere, leave, play_battle
from porimon.showdown.elsewhere.kept_answers import KeptAnswers
from porimon.showdown.elsewhere.meeting import Accept, Challenge, Ladder, Meeting
from porimon.showdown.elsewhere.visit import Visit
from porimon.showdown.facts.damage import candidates_of
from porimon.showdown.players.base import Knowledge, PlayerContext
from porimon.showdown.players.registry import create_player
from porimon.tournament.game import BattleSpec
from porimon.tournament.progress import Silent
from porimon.tournament.record.read import RunReader

from .conftest import SharedServer

pytestmark = pytest.mark.server

FORMAT = "gen8randombattle@@@Dynamax Clause"


def visit(server: SharedServer, name: str) -> Visit:
    return Visit(server.url, Account(name, Secret(None)), None, throttle_seconds=0.0)


def player(base: str, role: Any) -> Any:
    config = PlayerConfig(name=base, base=base)
    spec = BattleSpec("1.1", "m", 0, 0, 1, "a", {"a": config, "b": config})
    return create_player(PlayerContext(spec, "a", role, Knowledge(dex())))


async def play(
    who: Visit, meeting: Meeting, base: str, *, drops: tuple[int, ...] = ()
) -> BattleElsewhere:
    """Meet and play one battle; the connection is cut before the decisions in ``drops``."""
    room = await meeting.room(who.connection)
    decided = 0

    def make_player(role: Any) -> Any:
        made = player(base, role)
        choose = made.choose

        async def choose_and_drop(moment: Any) -> str:
            nonlocal decided
            decided += 1
            if decided in drops:
                await who.connection._websocket.close()
            return str(await choose(moment))

        made.choose = choose_and_drop
        return made

    battle, _ = await play_battle(who, room, make_player, timer=False, seed=3)
    await leave(who, room)
    return battle


async def test_two_users_meet_and_see_one_battle(showdown_server: SharedServer) -> None:
    """Names that occur in the game itself do no harm."""
    async with visit(showdown_server, "Ditto") as one, visit(showdown_server, "p1") as other:
        async with asyncio.timeout(90):
            seen, of_other = await asyncio.gather(
                play(one, Challenge("p1", FORMAT), "random"), play(other, Accept("ditto"), "random")
            )
    assert {seen.role, of_other.role} == {"p1", "p2"}
    assert (seen.winner, seen.turns, seen.end_reason) == (
        of_other.winner,
        of_other.turns,
        of_other.end_reason,
    )
    assert (seen.opponent, of_other.opponent) == ("p1", "Ditto")
    assert "Dynamax Clause" in seen.log
    assert f"|win|{seen.winner}" in seen.log
    assert not any(line.startswith(("|c|", "|c:|")) for line in of_other.log.split("\n"))


async def test_a_battle_outlives_lost_connections(showdown_server: SharedServer) -> None:
    """After each loss the battle is read anew from the room's log: nothing is counted twice."""
    async with visit(showdown_server, "dropper") as one, visit(showdown_server, "stayer") as other:
        async with asyncio.timeout(120):
            seen, of_other = await asyncio.gather(
                play(one, Challenge("stayer", FORMAT), "max-power", drops=(3, 6)),
                play(other, Accept("dropper"), "max-power"),
            )
    assert seen.reconnections == 2
    assert of_other.reconnections == 0
    assert (seen.winner, seen.turns) == (of_other.winner, of_other.turns)
    assert seen.log.count("\n|turn|") == of_other.log.count("\n|turn|") == seen.turns
    assert [made.number for made in seen.decisions] == list(range(1, len(seen.decisions) + 1))


class _CuttingAsker:
    """Asks the offline reader, and cuts the connection while some of its answers are on the way."""

    def __init__(self, who: Visit, cuts: dict[int, float]) -> None:
        self._who = who
        self._cuts = cuts
        self._reader = OfflineReader()
        self.paid: list[CompletionRequest] = []

    async def ask(self, request: CompletionRequest) -> Completion:
        self.paid.append(request)
        if len(self.paid) in self._cuts:
            await self._who.connection._websocket.close()
            await asyncio.sleep(self._cuts[len(self.paid)])
        text = self._reader.answer(request.messages, request.answer_format)
        return Completion(text, self._reader.name)


async def test_a_lost_connection_asks_no_question_twice(showdown_server: SharedServer) -> None:
    """The connection is lost with the answer paid and its order not sent, at once and much later.

    The battle read anew leads to the same prompt to the letter, so its answer is there already.
    """
    config = PlayerConfig(name="lt0", base="lt0")
    spec = BattleSpec("1.1", "m", 0, 0, 1, "a", {"a": config, "b": config})
    async with visit(showdown_server, "asker") as one, visit(showdown_server, "calm") as other:
        asker = _CuttingAsker(one, {2: 0.0, 5: 0.3, 6: 0.0})
        kept = KeptAnswers(asker)

        async def asking() -> BattleElsewhere:
            room = await Challenge("calm", FORMAT).room(one.connection)
            battle, _ = await play_battle(
                one,
                room,
                lambda role: create_player(
                    PlayerContext(spec, "a", role, Knowledge(dex(), candidates_of), kept)
                ),
                timer=False,
                seed=3,
                kept=kept,
            )
            return battle

        async with asyncio.timeout(120):
            seen, of_other = await asyncio.gather(asking(), play(other, Accept("asker"), "random"))
    assert seen.reconnections == 3
    assert (seen.winner, seen.turns) == (of_other.winner, of_other.turns)
    recorded = [call.completion.text for made in seen.decisions for call in made.calls]
    assert len(asker.paid) == len(recorded)
    prompts = [request.messages for request in asker.paid]
    assert len(set(prompts)) == len(prompts)
    questions = [(made.turn, made.view) for made in seen.decisions]
    assert len(set(questions)) == len(questions)


async def test_the_ladder_brings_two_together(showdown_server: SharedServer) -> None:
    async with visit(showdown_server, "climber1") as one, visit(showdown_server, "climber2") as two:
        ladder = Ladder("gen8randombattle")
        async with asyncio.timeout(90):
            seen, of_other = await asyncio.gather(
                play(one, ladder, "max-power"), play(two, ladder, "max-power")
            )
    assert seen.winner == of_other.winner
    assert seen.opponent == "climber2"


class Browser:
    """A person's browser, as far as the server sees: SockJS frames, and the button "default"."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.chat: list[str] = []

    async def say(self, message: str) -> None:
        await self._socket.send_str(json.dumps([message]))

    async def messages(self) -> AsyncIterator[tuple[str, str]]:
        """(room, line) pairs as they come."""
        async for frame in self._socket:
            for message in json.loads(frame.data[1:]) if frame.data.startswith("a") else ():
                room, _, body = (
                    message[1:].partition("\n") if message[0] == ">" else ("", "", message)
                )
                for line in body.split("\n"):
                    yield room, line

    async def play_against(self, agent: str) -> str:
        """Log in as "A Person", challenge the agent, click through the battle; who won."""
        async for room, line in self.messages():
            kind = line.split("|")[1:2]
            if kind == ["challstr"]:
                await self.say("|/trn A Person,0,")
            elif line.startswith("|updateuser| A Person|1"):
                await self.say(f"|/challenge {agent}, {FORMAT}")
            elif kind == ["popup"]:  # the agent is not there yet
                await asyncio.sleep(0.2)
                await self.say(f"|/challenge {agent}, {FORMAT}")
            elif kind == ["request"] and line != "|request|":
                request = json.loads(line.removeprefix("|request|"))
                if not request.get("wait"):
                    await self.say(f"{room}|/choose default|{request['rqid']}")
            elif kind in (["c"], ["c:"]):
                self.chat.append(line)
            elif kind == ["win"]:
                return line.removeprefix("|win|")
        raise AssertionError("the connection ended before the battle")


async def test_a_person_plays_against_an_agent_in_the_browser(
    showdown_server: SharedServer,
) -> None:
    """The browser's protocol, a name with a blank, the agent's side won or lost; no word of it."""
    address = showdown_server.url.replace("http", "ws", 1) + "/showdown/123/abcdefgh/websocket"
    async with (
        visit(showdown_server, "agent9") as agent,
        aiohttp.ClientSession() as session,
        session.ws_connect(address) as socket,
    ):
        browser = Browser(socket)
        async with asyncio.timeout(90):
            seen, winner = await asyncio.gather(
                play(agent, Accept("A Person"), "max-power"), browser.play_against("agent9")
            )
    assert seen.opponent == "A Person"
    assert (seen.winner == seen.role) == (winner == "agent9")
    assert browser.chat == []


async def test_nobody_there_and_unknown_formats_are_told(showdown_server: SharedServer) -> None:
    async with visit(showdown_server, "lonely") as one:
        for meeting in (
            Challenge("nobodyofthisname", FORMAT),
            Challenge("lonely", "gen8randombattle@@@No Such Rule"),
            Ladder("gen8nosuchformat"),
        ):
            with pytest.raises(UserInputError, match="refuses"):
                await asyncio.wait_for(meeting.room(one.connection), 20)


async def test_battles_are_recorded_like_any_others(
    showdown_server: SharedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two calls add up in one folder: an agent with Long-Term KAG against a second user."""
    monkeypatch.setenv("PORIMON_USERNAME", "Recorded Bot")
    said: list[str] = []
    request = ElsewhereRequest(
        meeting=Accept("sparring"),
        battle_format="gen8randombattle",
        server=showdown_server.url,
        command=("porimon", "accept"),
        out=tmp_path / "run",
        player="lt1-uniform",
        throttle_seconds=0.0,
        wait_seconds=60,
    )

    async def sparring(who: Visit) -> list[BattleElsewhere]:
        return [await play(who, _Patient("Recorded Bot"), "max-power") for _ in range(2)]

    async with visit(showdown_server, "sparring") as other, asyncio.timeout(150):
        partner = asyncio.create_task(sparring(other))
        for _ in range(2):
            await launch_elsewhere(request, Silent(), said.append)
        battles = await partner
    assert said[0] == f"lt1-uniform plays as Recorded Bot on {showdown_server.url}"
    results = results_elsewhere(tmp_path / "run", latest=1)
    assert results == [
        {
            "battle": "1.2",
            "opponent": "sparring",
            "result": "lost" if battles[1].winner == battles[1].role else "won",
            "turns": battles[1].turns,
            "end_reason": "normal",
        }
    ]
    (memory,) = read_memories(tmp_path / "run")
    assert [each.experience.battle_id for each in memory.entries] == ["1.1", "1.2"]
    with RunReader(tmp_path / "run") as reader:
        recorded = list(reader.battles())
        assert [battle.battle_id for battle in recorded] == ["1.1", "1.2"]
        for battle, of_other in zip(recorded, battles, strict=True):
            won = "a" if of_other.winner != of_other.role else "b"
            assert battle.winner == (None if of_other.winner is None else won)
            assert battle.first == ("b" if of_other.role == "p1" else "a")
            assert battle.turns == of_other.turns
            assert "opponent sparring" in battle.notes
        details = reader.details("1.1")
        assert any(made["calls"] for made in details["decisions"])
        sides = {card.player: card.fields for card in reader.cards()}
        assert sides["opponents"]["way"] == "accept"
        assert sides["lt1-uniform"]["model"] == "offline reader (no language model)"


async def test_a_battle_that_is_given_up_leaves_nobody_waiting(
    showdown_server: SharedServer, tmp_path: Path
) -> None:
    """Past its deadline our side forfeits, and the other wins at once."""
    request = ElsewhereRequest(
        meeting=Accept("waiting"),
        battle_format="gen8randombattle",
        server=showdown_server.url,
        command=("porimon", "accept"),
        player="random",
        out=tmp_path / "run",
        throttle_seconds=0.2,
        battle_seconds=0.5,
        wait_seconds=60,
    )

    async def give_up_once() -> None:
        playing = asyncio.create_task(launch_elsewhere(request, Silent(), lambda text: None))
        seen = await play(other, _Patient(account), "random")
        assert seen.end_reason == "forfeit"
        assert seen.winner == seen.role
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    account = "givesup"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORIMON_USERNAME", account)
        async with visit(showdown_server, "waiting") as other, asyncio.timeout(90):
            await give_up_once()


async def test_waiting_for_nobody_ends_and_can_go_on(
    showdown_server: SharedServer, tmp_path: Path
) -> None:
    request = ElsewhereRequest(
        meeting=Accept(None),
        battle_format="gen8randombattle",
        server=showdown_server.url,
        command=("porimon", "accept", "--wait", "1"),
        player="h",
        out=tmp_path / "run",
        wait_seconds=1,
    )
    with pytest.raises(RunStopped, match="nobody played with us") as caught:
        await launch_elsewhere(request, Silent(), lambda text: None)
    assert "porimon accept --wait 1" in str(caught.value)


class _Patient(Challenge):
    """Challenges until the other is there and free."""

    def __init__(self, user: str) -> None:
        super().__init__(user, FORMAT)

    async def room(self, connection: Any) -> str:
        while True:
            with suppress(UserInputError, TimeoutError):
                async with asyncio.timeout(3):
                    return await super().room(connection)
            await connection.send(f"/cancelchallenge {self.user}")
            await asyncio.sleep(0.3)
