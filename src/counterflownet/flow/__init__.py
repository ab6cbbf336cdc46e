"""The flow over codes: policy, rollouts, balance, exact enumeration. No tables, no classifier."""
