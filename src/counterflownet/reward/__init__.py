"""What makes a counterfactual good, as a number: terms, their weights, their temperature."""
