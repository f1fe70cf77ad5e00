"""`porimon doctor --llm NAME`: the endpoint is asked over real HTTP, and every answer explained."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from porimon.doctor import examine_model
from porimon.llm.reach import Reached, reach
from porimon.llm.settings import ModelSettings

KEY = "sk-planted-secret"


@contextmanager
def endpoint(
    status: int, body: bytes = b"{}", headers: dict[str, str] | None = None, key: str | None = None
) -> Iterator[tuple[str, list[str | None]]]:
    """An endpoint with one answer (401 without ``key``): its base URL, and what it was sent."""
    sent: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            authorization = self.headers.get("Authorization")
            sent.append(authorization)
            refused = key is not None and authorization != f"Bearer {key}"
            self.send_response(401 if refused else status if self.path == "/v1/models" else 500)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on the tests' standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", sent
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def settings(*base_urls: str, key_env: str | None = "MY_KEY") -> ModelSettings:
    return ModelSettings(name="mine", model="qwen3-32b", base_urls=base_urls, key_env=key_env)


def ask(base_url: str, **options: str | None) -> Reached:
    (reached,) = reach(settings(base_url, **options), {"MY_KEY": KEY})
    return reached


def models(*names: str) -> bytes:
    return json.dumps({"data": [{"id": name} for name in names]}).encode()


def test_an_endpoint_with_the_model_and_the_right_key_is_fine() -> None:
    with endpoint(200, models("other", "qwen3-32b"), key=KEY) as (url, sent):
        reached = ask(url)
    assert reached.problem is None
    assert sent == [f"Bearer {KEY}"]


def test_the_nearest_model_is_named() -> None:
    with endpoint(200, models("qwen3-32b-instruct", "llama")) as (url, _):
        reached = ask(url)
    assert reached.problem is not None
    assert "qwen3-32b-instruct" in (reached.remedy or "")


def test_a_refused_key_is_told_apart_from_a_missing_one() -> None:
    with endpoint(200, models("qwen3-32b"), key="another") as (url, sent):
        refused = ask(url)
        without = ask(url, key_env=None)
        (unset,) = reach(settings(url), {})
    assert "refuses the key" in (refused.problem or "")
    assert "MY_KEY" in (refused.remedy or "")
    assert "wants a key" in (without.problem or "")
    assert sent == [f"Bearer {KEY}", None]  # nothing was sent where no key was set
    assert unset.problem is not None
    assert "MY_KEY" in (unset.remedy or "")


@pytest.mark.parametrize(
    ("status", "body", "fine"),
    [
        (404, b"", True),
        (200, b"<html>", True),
        (200, b"[" * 100_000, True),
        (200, b'{"data": [1]}', True),
        (500, b"", False),
        (302, b"", False),
    ],
)
def test_odd_answers_are_explained(status: int, body: bytes, fine: bool) -> None:
    with endpoint(status, body, {"Location": "http://127.0.0.1:9/"}) as (url, sent):
        reached = ask(url)
    assert (reached.problem is None) == fine
    assert len(sent) == 1  # a redirect is not followed: it could carry the key elsewhere


def test_an_endpoint_that_is_not_there() -> None:
    with endpoint(200) as (url, _):
        pass
    reached = ask(url)
    assert reached.problem == "the endpoint cannot be reached"


def test_the_doctor_asks_every_endpoint_and_never_shows_the_key() -> None:
    with endpoint(200, models("qwen3-32b"), key=KEY) as (good, _), endpoint(503) as (bad, _):
        checks = examine_model(settings(good, bad), {"MY_KEY": KEY})
    assert [check.present for check in checks] == [True, False]
    assert all(check.needed for check in checks)
    assert KEY not in repr(checks)
