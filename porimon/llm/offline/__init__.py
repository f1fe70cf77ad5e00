"""The offline reader: a deterministic policy that sees only a prompt's text. No language model."""
