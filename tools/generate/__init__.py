"""What is generated from the rules and the table of configuration keys: pages, index, README, schema."""
