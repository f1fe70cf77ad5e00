"""The hash of a player's prompts: results with different prompts must not be pooled unnoticed."""

from __future__ import annotations

import hashlib

from porimon.config.player import PlayerConfig
from porimon.showdown.prompts.render import PACKAGE_TEMPLATES, load_templates


def prompt_hash(player: PlayerConfig) -> str:
    """Hash of every template that the player's prompts may use (16 hex digits).

    Raises ``UserInputError`` for templates that cannot be loaded.
    """
    own = load_templates(player.style, player.prompts).folder
    # Templates may include any of the shared ones beside the folders of the styles.
    files = {file.name: file for file in PACKAGE_TEMPLATES.glob("*.jinja")}
    files |= {file.name: file for file in own.glob("*.jinja")}
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + files[name].read_bytes() + b"\0")
    return digest.hexdigest()[:16]
