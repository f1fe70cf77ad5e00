"""Statistics of battles: pure functions on arrays, one module per idea (docs/statistics.md).

``battles`` is what goes in, ``analysis`` and ``details`` put everything together, ``results`` is
what comes out, ``tables`` and ``table_formats`` show it. Nothing here knows what is played.
"""
