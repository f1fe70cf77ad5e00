"""A language model as a Python class. This one always takes the first option that it is shown."""

import json
import re

from porimon.llm.model import Completion


class FirstOption:
    def __init__(self, settings):
        self.settings = settings  # its table in llm.toml

    async def complete(self, request):
        prompt = request.messages[-1].content
        name, kind = re.search(r"^1\. (.+?) \| (move|switch)\b", prompt, re.MULTILINE).groups()
        return Completion(json.dumps({kind: name}), self.settings.model)
