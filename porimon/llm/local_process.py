"""The child process that serves a GGUF file: llama.cpp's own HTTP server, through xllamacpp.

Run as ``python -m porimon.llm.local_process FILE NAME CONTEXT``. It prints one JSON line with the
address when it is ready, and ends when its standard input closes, that is with its parent.
"""

from __future__ import annotations

import json
import sys

LOOPBACK = "127.0.0.1"
STANDARD_ERROR_ONLY = 2
"""llama.cpp writes its own log to standard error only; standard output is for the address."""


def main(arguments: list[str]) -> None:
    """Serve until standard input closes."""
    import xllamacpp

    file, name, context = arguments
    parameters = xllamacpp.CommonParams()
    parameters.model.path = file
    parameters.model_alias = {name}
    parameters.n_ctx = int(context)
    parameters.n_parallel = 1
    parameters.hostnames = [LOOPBACK]
    parameters.port = 0
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(json.dumps({"address": server.listening_address}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
