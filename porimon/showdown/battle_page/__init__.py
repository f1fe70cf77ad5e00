"""How Showdown battles are shown in a report: their telling, and the scripts that draw them."""
