"""Tests of the protocol events, their sentences and the turn log."""
