"""`python -m porimon` is the command `porimon`."""

from porimon.cli.main import entry

if __name__ == "__main__":
    entry()
