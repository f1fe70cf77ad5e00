"""An OpenAI-compatible HTTP endpoint on this machine, with settable latency and faults.

For the offline reader, for the project's own tests, and for users' tests of their own clients.
"""
