"""One endpoint's HTTP: a JSON object posted, a status and bytes back. What they mean is not asked.

aiohttp does it. A call holds one connection, which is kept for the next; cancelling the call closes
it. There is no time limit here: whoever calls sets one.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi

from porimon import __version__
from porimon.errors import MachineSetupError
from porimon.llm.secrets import Secret


class ConnectionFailed(Exception):
    """No whole response came; the message says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response as it came. ``headers`` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def succeeded(self) -> bool:
        """Whether the status says so (2xx)."""
        return 200 <= self.status < 300

    def document(self) -> object:
        """The body as JSON; as text where it is none, ``None`` where it is empty."""
        text = self.body.decode("utf-8", errors="replace").strip()
        try:
            return json.loads(text) if text else None
        except (ValueError, RecursionError):
            return text


class EndpointConnection:
    """The connections to one endpoint; make it with ``connect``."""

    def __init__(
        self, base_url: str, session: aiohttp.ClientSession, proxy: str | None = None
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._session = session
        self._proxy = proxy

    async def post(self, path: str, fields: Mapping[str, Any]) -> Reply:
        """Post ``fields`` as JSON and read the whole response. Raises ``ConnectionFailed``."""
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            async with self._session.post(
                self._base_url + path, data=body, proxy=self._proxy
            ) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Reply(response.status, headers, await response.read())
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # ValueError: an address that cannot be one.
            cause = _first_cause(error)
            if isinstance(cause, TimeoutError):
                raise cause from error
            name = type(cause).__name__
            raise ConnectionFailed(f"{name}: {cause}" if str(cause) else name) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()


async def connect(base_url: str, key: Secret) -> EndpointConnection:
    """What calls go through. Nothing is sent yet. Raises ``MachineSetupError`` as ``proxy_for``."""
    proxy = proxy_for(base_url)
    certificates: ssl.SSLContext | bool = True
    if urlsplit(base_url).scheme == "https":
        certificates = await asyncio.to_thread(_certificates)
    headers = {"Content-Type": "application/json", "User-Agent": f"porimon/{__version__}"}
    if (value := key.reveal()) is not None:
        headers["Authorization"] = f"Bearer {value}"
    session = aiohttp.ClientSession(
        # How many calls are in flight is for the pool to say.
        connector=aiohttp.TCPConnector(limit=0, ssl=certificates),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
    )
    return EndpointConnection(base_url, session, proxy)


def _certificates() -> ssl.SSLContext:
    """The machine's authorities and certifi's: some machines have none of their own."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def proxy_for(base_url: str) -> str | None:
    """The environment's proxy for an address. Calls to this machine never take one.

    Raises ``MachineSetupError`` for a proxy that does not speak HTTP, such as SOCKS.
    """
    parts = urlsplit(base_url)
    if is_loopback(base_url) or proxy_bypass(parts.hostname or ""):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if proxy and urlsplit(proxy).scheme not in ("http", "https"):
        # The address may hold a password, so it is not shown.
        raise MachineSetupError(
            "the environment names a proxy that is no HTTP proxy",
            where=f"{parts.scheme.upper()}_PROXY or ALL_PROXY",
            remedy="name an http:// proxy there, or the endpoint's host in NO_PROXY",
        )
    return proxy


def is_loopback(base_url: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _first_cause(error: BaseException) -> BaseException:
    """What an error began with: the layers above name it less exactly."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
