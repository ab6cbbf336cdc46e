"""Studies beyond the tables: each asks one question of the method, keeps what it measured, and draws it."""
