"""Language models: the OpenAI-compatible client, budgets, prices and the offline reader."""
