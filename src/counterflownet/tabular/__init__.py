"""Tables to codes and back: schema, bins, codec, constraints. No networks."""
