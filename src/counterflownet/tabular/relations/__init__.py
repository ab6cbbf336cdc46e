"""Relations that all rows of a table keep, found in its columns: what suggestions and the count of oddities rest on."""
