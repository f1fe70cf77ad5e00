"""Answers: what a language model sent, read as a legal order or as a typed reason why not."""
