"""On somebody else's server: accounts, names in lines, what may be said. Without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from porimon.errors import BattleAborted, MachineSetupError, UserInputError
from porimon.llm.secrets import Secret
from porimon.showdown.connection import Connection, ConnectionLost, LoginRefused
from porimon.showdown.elsewhere.account import (
    Account,
    account_from_environment,
    is_local,
    prove,
    user_id,
)
from porimon.showdown.elsewhere.battle import RoomLine
from porimon.showdown.elsewhere.meeting import Challenge, challenge_of, check_format
from porimon.showdown.elsewhere.names import PlayerNames
from porimon.showdown.elsewhere.visit import Visit, login_server_for

PASSWORD = "correct horse battery"
ACCOUNT = Account("Alice Bot", Secret(PASSWORD))


@asynccontextmanager
async def served(handler: Callable[[web.Request], Any], path: str) -> AsyncIterator[str]:
    """An HTTP server on loopback that answers everything at ``path`` with ``handler``."""
    application = web.Application()
    application.router.add_route("*", path, handler)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        await runner.cleanup()


async def proved(answer: str, account: Account = ACCOUNT, status: int = 200) -> tuple[str, Any]:
    """What ``prove`` makes of a login server's answer, and what it was sent."""
    sent: dict[str, Any] = {}

    async def handler(request: web.Request) -> web.Response:
        sent.update(await request.post())
        return web.Response(text=answer, status=status)

    async with served(handler, "/action.php") as url, aiohttp.ClientSession() as session:
        return await prove(session, url, account, "4|abc"), sent


async def test_a_password_is_proved_to_the_login_server() -> None:
    answer = "]" + json.dumps({"actionsuccess": True, "assertion": "alicebot,proof"})
    assertion, sent = await proved(answer)
    assert assertion == "alicebot,proof"
    assert sent == {"act": "login", "name": "Alice Bot", "pass": PASSWORD, "challstr": "4|abc"}


async def test_a_name_without_password_is_asked_for_plainly() -> None:
    assertion, sent = await proved("word of the server", Account("Guest 7", Secret(None)))
    assert assertion == "word of the server"
    assert sent == {"act": "getassertion", "userid": "guest7", "challstr": "4|abc"}


@pytest.mark.parametrize(
    "answer, told",
    [
        (";", "is registered"),
        (f";;Wrong password {PASSWORD}", "Wrong password"),
        ("]" + json.dumps({"actionsuccess": False, "assertion": ";;Wrong."}), "Wrong."),
    ],
)
async def test_a_refusal_names_the_variables_and_never_the_password(answer: str, told: str) -> None:
    with pytest.raises(UserInputError, match="refuses 'Alice Bot'") as caught:
        await proved(answer)
    assert told in str(caught.value)
    assert "PORIMON_PASSWORD" in str(caught.value)
    assert PASSWORD not in str(caught.value) + repr(ACCOUNT)


@pytest.mark.parametrize("answer", ["]{", "]null", "", "<html>\nmoved</html>"])
async def test_an_answer_that_is_none_is_no_proof(answer: str) -> None:
    with pytest.raises(MachineSetupError):
        await proved(answer)
    with pytest.raises(MachineSetupError, match="status 503"):
        await proved("fine", status=503)


async def test_a_password_never_travels_in_the_clear() -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(UserInputError, match="not https"):
            await prove(session, "http://example.org/action.php", ACCOUNT, "4|abc")


def test_the_account_comes_from_the_environment() -> None:
    account = account_from_environment({"PORIMON_USERNAME": " Alice ", "PORIMON_PASSWORD": "x"})
    assert (account.name, account.password.reveal()) == ("Alice", "x")
    guest = account_from_environment({})
    assert guest.password.reveal() is None
    assert guest.name.isalnum()
    assert len(guest.name) <= 18
    for name in ("a,b", "a|b", "!!!", "x" * 19):
        with pytest.raises(UserInputError, match="not a Showdown user name"):
            account_from_environment({"PORIMON_USERNAME": name})


def test_no_login_server_is_asked_for_this_machine() -> None:
    assert login_server_for("http://127.0.0.1:8000", None, "default") is None
    assert login_server_for("http://localhost:8000", None, "default") is None
    assert login_server_for("https://sim.example.org", None, "default") == "default"
    assert login_server_for("http://127.0.0.1:8000", "own", "default") == "own"
    assert is_local("http://[::1]:8000")
    assert not is_local("http://127.0.0.1.example.org")


def test_names_are_taken_out_where_the_protocol_puts_them() -> None:
    """A user may be called like a Pokémon, a move, or like the beginning of everything."""
    names = PlayerNames()
    for line in ("|player|p1|Ditto|266|", "|player|p2|p|101|1200", "|player|p2|"):
        names.learn(line)
    assert names.role_of("ditto") == "p1"
    assert names.role_of("somebody") is None
    cases = {
        "|switch|p1a: Ditto|Ditto, L87|100/100": "|switch|p1a: Ditto|Ditto, L87|100/100",
        "|-sidestart|p1: Ditto|move: Stealth Rock": "|-sidestart|p1: p1|move: Stealth Rock",
        "|-sideend|p2: p|Reflect": "|-sideend|p2: p2|Reflect",
        "|-message|Ditto forfeited.": "|-message|p1 forfeited.",
        "|-message|p lost due to inactivity.": "|-message|p2 lost due to inactivity.",
        "|-message|perhaps": "|-message|perhaps",
        "|win|Ditto": "|win|p1",
        "|move|p2a: p|Splash|p1a: Ditto": "|move|p2a: p|Splash|p1a: Ditto",
        "": "",
    }
    assert {line: names.without(line) for line in cases} == cases


class Room:
    """A connection with prepared messages that keeps what is sent."""

    name = "Alice Bot"

    def __init__(self, *messages: str) -> None:
        self.messages = list(messages)
        self.sent: list[str] = []

    async def receive(self, room: str) -> str:
        return self.messages.pop(0)

    async def send(self, message: str, room: str = "") -> None:
        self.sent.append(message)


def line_of(room: Room) -> RoomLine:
    return RoomLine(room, "battle-1")  # type: ignore[arg-type]


async def test_the_side_is_read_from_the_room_and_nothing_is_lost() -> None:
    first, second = "|init|battle\n|title|bob vs. Alice Bot", "|player|p2|Alice Bot|1|\n|turn|1"
    line = line_of(Room(first, second))
    assert await line.own_role() == "p2"
    assert [await line.receive("battle-1") for _ in range(2)] == [first, second]


async def test_a_room_that_is_gone_ends_the_battle() -> None:
    with pytest.raises(BattleAborted, match="gone"):
        await line_of(Room("|noinit|nonexistent|The room does not exist.")).own_role()


async def test_an_answered_question_is_not_asked_again() -> None:
    """After joining again the server repeats the question and what we chose."""
    line = line_of(Room('|request|{"rqid":7}\n|sentchoice|move 1', '|request|{"rqid":9}'))
    assert await line.receive("battle-1") == "|sentchoice|move 1"
    assert await line.receive("battle-1") == '|request|{"rqid":9}'


async def test_nothing_but_choices_and_commands_can_be_said() -> None:
    room = Room()
    line = line_of(room)
    for message in ("/choose move 1|3", "/forfeit", "/timer on"):
        await line.send(message, "battle-1")
    for message in ("I will use Surf", "/pm bob, hi", "/choose x\nhello", "/forfeit me", "/me is"):
        with pytest.raises(ValueError, match="only choices"):
            await line.send(message, "battle-1")
    assert room.sent == ["/choose move 1|3", "/forfeit", "/timer on"]


def test_challenges_are_told_from_talk() -> None:
    mine = "Alice Bot"
    challenge = "|pm| bob|*Alice Bot@!|/challenge gen8randombattle|gen8randombattle|||"
    assert challenge_of(challenge, mine) == ("bob", "gen8randombattle")
    assert challenge_of("|pm| bob| Alice Bot|/challenge|", mine) is None
    assert challenge_of("|pm| bob| Alice Bot|hello /challenge x", mine) is None
    assert challenge_of("|pm| Alice Bot| bob|/challenge gen8randombattle|", mine) is None
    assert user_id("*Alice Bot") == "alicebot"


def test_only_formats_that_our_players_know_are_played() -> None:
    assert check_format("gen8randombattle@@@Dynamax Clause,Sleep Clause Mod")
    for name in ("gen9randombattle", "gen8randombattle@@@", "gen8ou", "gen8randombattle\n/x"):
        with pytest.raises(UserInputError, match="do not play"):
            check_format(name)


class GameServer:
    """As much of a game server's socket as a login needs."""

    def __init__(self, refuse: bool = False) -> None:
        self.heard: list[tuple[float, str]] = []
        self.refuse = refuse

    async def handler(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str("|updateuser| Guest 1|0|1|{}")
        await socket.send_str("|challstr|4|abc")
        async for message in socket:
            self.heard.append((asyncio.get_running_loop().time(), message.data))
            if message.data.startswith("|/trn "):
                name = message.data.removeprefix("|/trn ").split(",")[0]
                told = f"|nametaken|{name}|" if self.refuse else f"|updateuser| {name}|1|1|{{}}"
                await socket.send_str(told)
            if message.data == "|/drop":
                await socket.close()
        return socket


async def test_the_proof_is_sent_and_messages_are_spaced() -> None:
    server = GameServer()
    asked: list[str] = []

    async def proof(challenge: str) -> str:
        asked.append(challenge)
        return "the,proof"

    async with (
        served(server.handler, "/showdown/websocket") as url,
        aiohttp.ClientSession() as session,
    ):
        connection = await Connection.open(
            session, url, "Alice Bot", throttle_seconds=0.1, proof=proof
        )
        await asyncio.gather(*(connection.send(f"message {n}", "room") for n in range(4)))
        await asyncio.sleep(0.05)
        await connection.close()
    assert asked == ["4|abc"]
    texts = [text for _, text in server.heard]
    assert texts == ["|/trn Alice Bot,0,the,proof", *(f"room|message {n}" for n in range(4))]
    times = [time for time, _ in server.heard]
    # What arrives may bunch up a little on a busy machine; the sum cannot.
    assert times[-1] - times[0] > 0.38


async def test_a_lost_connection_is_made_again() -> None:
    server = GameServer()
    async with served(server.handler, "/showdown/websocket") as address:
        url = address.removesuffix("/showdown/websocket")
        visit = Visit(url, Account("alice", Secret(None)), None, throttle_seconds=0.0)
        async with visit:
            first = visit.connection
            await first.send("/drop")
            with pytest.raises(ConnectionLost):
                await asyncio.wait_for(first.receive("battle-1"), 5)
            again = await visit.renewed()
            assert again is not first
            assert await visit.renewed() is again
    assert sum(text.startswith("|/trn alice") for _, text in server.heard) == 2


async def test_tries_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import porimon.showdown.elsewhere.visit as module

    monkeypatch.setattr(module, "_FIRST_PAUSE_SECONDS", 0.01)
    server = GameServer()
    said: list[str] = []
    async with served(server.handler, "/showdown/websocket") as address:
        url = address.removesuffix("/showdown/websocket")
        visit = Visit(url, Account("alice", Secret(None)), None, 0.0, attempts=3, say=said.append)
        await visit.__aenter__()
    try:
        await asyncio.sleep(0.05)
        with pytest.raises(ConnectionLost):
            await asyncio.wait_for(visit.renewed(), 10)
        assert len(said) == 2
    finally:
        await visit.__aexit__(None, None, None)


async def test_a_taken_name_is_told() -> None:
    server = GameServer(refuse=True)
    async with (
        served(server.handler, "/showdown/websocket") as url,
        aiohttp.ClientSession() as session,
    ):
        with pytest.raises(LoginRefused, match="alice"):
            await Connection.open(session, url, "alice")
        visit = Visit(url.removesuffix("/showdown/websocket"), ACCOUNT, None)
        with pytest.raises(UserInputError, match="Alice Bot") as caught:
            await visit.__aenter__()
        assert "PORIMON_USERNAME" in str(caught.value)


async def test_a_server_that_is_not_there_is_told() -> None:
    visit = Visit("http://127.0.0.1:9", ACCOUNT, None)
    with pytest.raises(MachineSetupError, match="no Showdown server answers") as caught:
        await visit.__aenter__()
    assert "porimon serve" in str(caught.value)


async def test_what_the_server_refuses_is_told() -> None:
    """A popup in answer to a challenge, and a user who does not want to."""
    challenge = Challenge("bob", "gen8randombattle")
    with pytest.raises(UserInputError, match="not found") as caught:
        challenge._refusal("|popup|The user 'bob' was not found.")
    assert caught.value.remedy is not None
    with pytest.raises(BattleAborted, match="rejects"):
        challenge._refusal("|pm| bob| Alice Bot|/nonotify bob rejected the challenge.")
    challenge._refusal("|pm| bob| Alice Bot|hello")
