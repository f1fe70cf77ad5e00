"""Playing on any Showdown server, against whoever is there: accounts, meetings, battles."""
