"""Who we are on a Showdown server: an account from the environment, proved to its login server.

The password goes to the login server only, over HTTPS, and nowhere else: not to the game server,
not into a log, a record or a message.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

from porimon.errors import MachineSetupError, UserInputError
from porimon.llm.secrets import Secret
from porimon.showdown.connection import NAME_LIMIT

NAME_VARIABLE = "PORIMON_USERNAME"
PASSWORD_VARIABLE = "PORIMON_PASSWORD"  # the variable's name, not a password
LOGIN_SERVER = "https://play.pokemonshowdown.com/action.php"
"""The login server of the official server and of those that rely on it."""

_DEADLINE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Account:
    """A user name, and the password where the name is registered."""

    name: str
    password: Secret


def user_id(name: str) -> str:
    """How Showdown compares names: small letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def account_from_environment(environment: Mapping[str, str] | None = None) -> Account:
    """The account that the environment names; a guest's name where it names none.

    Raises ``UserInputError`` for a name that Showdown would not take as it is.
    """
    variables = os.environ if environment is None else environment
    name = variables.get(NAME_VARIABLE, "").strip() or f"porimon{secrets.token_hex(4)}"
    if not user_id(name) or len(name) > NAME_LIMIT or re.search(r"[|,\x00-\x1f]", name):
        raise UserInputError(
            f"{name!r} is not a Showdown user name",
            where=f"environment variable {NAME_VARIABLE}",
            remedy=f"1 to {NAME_LIMIT} characters, with a letter or digit, without | and ,",
        )
    return Account(name, Secret(variables.get(PASSWORD_VARIABLE) or None))


def is_local(address: str) -> bool:
    """Whether an address is of this machine, where no login server is needed."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def prove(
    session: aiohttp.ClientSession, login_server: str, account: Account, challenge: str
) -> str:
    """What the login server says for us to the game server that sent ``challenge``.

    Raises ``UserInputError`` for a wrong password or a registered name without one, and
    ``MachineSetupError`` where the login server does not answer as it should.
    """
    if urlsplit(login_server).scheme != "https" and not is_local(login_server):
        raise UserInputError(
            "the login server's address is not https: the password could be read on the way",
            where="--login-server",
            remedy=f"use {LOGIN_SERVER}",
        )
    password = account.password.reveal()
    if password is None:
        fields = {"act": "getassertion", "userid": user_id(account.name), "challstr": challenge}
    else:
        fields = {"act": "login", "name": account.name, "pass": password, "challstr": challenge}
    try:
        async with session.post(
            login_server,
            data=fields,
            timeout=aiohttp.ClientTimeout(total=_DEADLINE_SECONDS),
            # A redirect could carry the password to another host.
            allow_redirects=False,
        ) as response:
            text = await response.text()
            status = response.status
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise MachineSetupError(
            f"the login server does not answer ({type(error).__name__})",
            where=login_server,
            remedy="is the network up? a server on this machine needs no login server",
        ) from error
    return _assertion(text, status, account, login_server)


def _assertion(text: str, status: int, account: Account, login_server: str) -> str:
    answer: object = text.strip()
    if text.startswith("]"):
        try:
            document = json.loads(text[1:])
        except ValueError:
            document = None
        answer = document.get("assertion") if isinstance(document, dict) else None
    if status != 200 or not isinstance(answer, str) or not answer or "\n" in answer:
        raise MachineSetupError(
            f"the login server's answer cannot be read (status {status})", where=login_server
        )
    if answer.startswith(";"):
        told = account.password.scrub(answer.lstrip(";").strip())
        raise UserInputError(
            f"the login server refuses {account.name!r}"
            + (f": {told}" if told else ": the name is registered"),
            where=f"environment variables {NAME_VARIABLE} and {PASSWORD_VARIABLE}",
            remedy="correct them, or choose a name that nobody has registered",
        )
    return answer
