"""Training the flow: settings, batches, one step, the loop, its history and its checkpoints."""
