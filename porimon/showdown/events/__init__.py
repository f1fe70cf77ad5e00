"""Protocol lines → typed events → sentences from a player's side → the turn log."""
