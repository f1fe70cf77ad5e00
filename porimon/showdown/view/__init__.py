"""What a player may know at a decision: the types of a view, and the tracker that builds one."""
