"""What is sent to an endpoint and to whom: the key above all."""

from __future__ import annotations

import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from porimon.errors import MachineSetupError
from porimon.llm.secrets import Secret
from porimon.llm.transport import ConnectionFailed, Reply, connect, is_loopback, proxy_for

KEY = "sk-planted-0123456789"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@asynccontextmanager
async def serving(
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> AsyncIterator[str]:
    """A server on loopback that answers every request by ``handler``; its base URL."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _posted(base_url: str, key: str | None = KEY) -> Reply:
    connection = await connect(base_url, Secret(key))
    try:
        return await connection.post("/chat/completions", {"text": "Pokémon"})
    finally:
        await connection.close()


async def test_a_request_as_it_arrives() -> None:
    seen: list[web.Request] = []
    bodies: list[bytes] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append(request)
        bodies.append(await request.read())
        return web.json_response({"ok": True}, headers={"X-Odd": "yes"})

    async with serving(handler) as base_url:
        reply = await _posted(base_url + "/")
        without = await _posted(base_url, None)
    assert (reply.succeeded, reply.document(), reply.headers["x-odd"]) == (
        True,
        {"ok": True},
        "yes",
    )
    assert without.succeeded
    assert [request.path for request in seen] == ["/v1/chat/completions"] * 2
    assert bodies == ['{"text":"Pokémon"}'.encode()] * 2
    assert seen[0].headers["Authorization"] == f"Bearer {KEY}"
    assert seen[0].headers["Content-Type"] == "application/json"
    assert "Authorization" not in seen[1].headers


async def test_the_key_is_not_passed_on_to_another_server() -> None:
    seen: list[dict[str, str]] = []

    async def elsewhere(request: web.Request) -> web.Response:
        seen.append(dict(request.headers))
        return web.json_response({})

    async with serving(elsewhere) as other:

        async def moved(request: web.Request) -> web.Response:
            raise web.HTTPTemporaryRedirect(f"{other}/chat/completions")

        async with serving(moved) as base_url:
            assert (await _posted(base_url)).succeeded
    assert len(seen) == 1
    assert KEY not in str(seen)


async def test_credentials_of_the_users_netrc_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login someone password hidden\n")
    monkeypatch.setenv("NETRC", str(file))
    seen: list[str] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append(request.headers.get("Authorization", ""))
        return web.json_response({})

    async with serving(handler) as base_url:
        await _posted(base_url)
    assert seen == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("status", "text", "document"),
    [
        (503, "", None),
        (400, '{"error": {"code": "x"}}', {"error": {"code": "x"}}),
        (502, "<html>Bad gateway</html>", "<html>Bad gateway</html>"),
        (500, "[" * 100_000, "[" * 100_000),
    ],
)
async def test_whatever_an_error_says_can_be_read(status: int, text: str, document: object) -> None:
    async def handler(request: web.Request) -> web.Response:
        return web.Response(status=status, text=text)

    async with serving(handler) as base_url:
        reply = await _posted(base_url)
    assert (reply.status, reply.succeeded, reply.document()) == (status, False, document)


async def test_bytes_that_are_no_text_are_still_a_document() -> None:
    assert Reply(500, {}, b"\xff\xfe").document() == "\ufffd\ufffd"


async def test_who_is_not_there_is_named_by_the_first_cause() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ConnectionFailed, match="ConnectionRefusedError"):
        await _posted(f"http://127.0.0.1:{port}/v1")


@pytest.mark.parametrize("base_url", ["http://", "http://host:none/v1", "mailto:x"])
async def test_an_impossible_address_is_a_failed_connection(base_url: str) -> None:
    with pytest.raises(ConnectionFailed):
        await _posted(base_url)


async def test_certificates_are_checked() -> None:
    connection = await connect("https://127.0.0.1:1/v1", Secret(None))
    connector = connection._session.connector
    context = getattr(connector, "_ssl", None)
    await connection.close()
    assert isinstance(context, ssl.SSLContext)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.cert_store_stats()["x509_ca"] > 50


def test_the_environments_proxy_is_for_the_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    assert proxy_for("https://models.example/v1") is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example")
    assert proxy_for("https://models.example/v1") == "http://proxy.example:3128"
    assert proxy_for("http://models.example/v1") is None
    assert proxy_for("https://inside.example/v1") is None
    assert proxy_for("https://127.0.0.1:8000/v1") is None
    monkeypatch.setenv("ALL_PROXY", "http://other.example:1080")
    assert proxy_for("http://models.example/v1") == "http://other.example:1080"


async def test_a_proxy_that_is_not_http_is_the_machines_to_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("ALL_PROXY", "socks5://me:hidden@proxy.example:1080")
    with pytest.raises(MachineSetupError, match="no HTTP proxy") as caught:
        await _posted("https://models.example/v1")
    assert "hidden" not in str(caught.value)
    assert proxy_for("http://127.0.0.1:8000/v1") is None


async def test_a_call_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def handler(request: web.Request) -> web.Response:
        asked.append(str(request.url))
        return web.json_response({})

    async with serving(handler) as proxy:
        monkeypatch.setenv("http_proxy", proxy.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert (await _posted("http://models.example/v1")).succeeded
    assert asked == ["http://models.example/v1/chat/completions"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:5/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
    ],
)
def test_loopback(url: str, expected: bool) -> None:
    assert is_loopback(url) is expected
