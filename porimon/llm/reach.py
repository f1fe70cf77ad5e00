"""Whether a language model's endpoints answer, take the key and know the model: for the doctor.

A look before a run, outside of any event loop, and free of cost: it only asks ``GET …/models``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from porimon.config.toml import nearest
from porimon.errors import PorimonError
from porimon.llm.secrets import Secret, read_key
from porimon.llm.settings import ModelSettings

if TYPE_CHECKING:
    import requests

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0
LARGEST_LIST_BYTES = 32 * 1024 * 1024
"""An endpoint that names its models in more than this is not asked further."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What became of one endpoint. ``problem`` is ``None`` where a run can be expected to work."""

    base_url: str
    found: str
    problem: str | None = None
    remedy: str | None = None


def reach(
    settings: ModelSettings, environment: Mapping[str, str] | None = None
) -> Iterator[Reached]:
    """Ask every endpoint of a model for its list of models. Blocks; never shows the key.

    A model that the run starts itself has no endpoint yet, and yields nothing.
    """
    try:
        key = read_key(settings, environment)
    except PorimonError as error:
        for base_url in settings.base_urls:
            yield Reached(base_url, "not asked: there is no key", error.what, error.remedy)
        return
    for base_url in settings.base_urls:
        yield _ask(base_url, settings, key)


def _ask(base_url: str, settings: ModelSettings, key: Secret) -> Reached:
    # Imported here: `porimon --help` and the runs themselves do without it.
    import requests

    value = key.reveal()
    headers = {} if value is None else {"Authorization": f"Bearer {value}"}
    try:
        # A redirect could carry the key to another host.
        with requests.get(
            f"{base_url.rstrip('/')}/models",
            headers=headers,
            timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
            allow_redirects=False,
            stream=True,
        ) as response:
            status = response.status_code
            body = _body(response)
    except requests.RequestException as error:
        return Reached(
            base_url,
            f"no answer ({type(error).__name__})",
            "the endpoint cannot be reached",
            "check the address in llm.toml, and whether the server is up",
        )
    if status in (401, 403):
        return Reached(
            base_url,
            f"answers with status {status}",
            "the endpoint refuses the key" if value else "the endpoint wants a key",
            f"check the key in {settings.key_env}"
            if settings.key_env
            else "name its environment variable: key_env in llm.toml",
        )
    if status == 404:
        return Reached(base_url, "answers, but does not list its models")
    if status != 200:
        return Reached(
            base_url,
            f"answers with status {status}",
            "the endpoint does not work at the moment, or the address is another service's",
            "try again later, or check the address in llm.toml (it ends in /v1 as a rule)",
        )
    return _listed(base_url, settings.model, body)


def _body(response: requests.Response) -> bytes:
    """The answer's body, cut where it is too long or comes too slowly."""
    end = time.monotonic() + ANSWER_SECONDS
    body = bytearray()
    for chunk in response.iter_content(64 * 1024):
        body += chunk
        if len(body) > LARGEST_LIST_BYTES or time.monotonic() > end:
            break
    return bytes(body)


def _listed(base_url: str, model: str, body: bytes) -> Reached:
    try:
        document = json.loads(body)
        names = [str(entry["id"]) for entry in document["data"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return Reached(base_url, "answers, but with no list of models that can be read")
    if model in names:
        return Reached(base_url, f"answers and has {model}")
    right = nearest(model, names)
    return Reached(
        base_url,
        f"answers, has {len(names)} models",
        f"it does not list the model {model!r}",
        f"did you mean {right!r}? (model in llm.toml)" if right else "see model in llm.toml",
    )
