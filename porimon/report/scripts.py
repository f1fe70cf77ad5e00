"""Data as scripts: a page opened from the disk may load a script, but may not read a file."""

from __future__ import annotations

import base64
import json
from typing import Any


def as_script(function: str, *values: Any) -> str:
    """A script that calls ``Porimon.<function>`` with the values, given as JSON.

    Everything outside ASCII and every ``<`` is escaped, so no text can end the script or be read
    as anything but a string, wherever the script stands.
    """
    arguments = ",".join(map(as_json, values))
    return f"Porimon.{function}({arguments.replace('<', chr(92) + 'u003c')});\n"


def as_json(value: Any) -> str:
    """Compact JSON in ASCII. Raises ``ValueError`` for a figure that is not finite."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def packed(data: bytes) -> str:
    """Bytes as text for a script (base64)."""
    return base64.b64encode(data).decode("ascii")
