"""Facts: all that a prompt may say beyond the view and the turn log, gathered once a decision."""
