"""TOML files → validated models; player names both ways."""
