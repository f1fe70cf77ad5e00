"""The one command, `porimon`: parse arguments, call one function, print. No logic."""
