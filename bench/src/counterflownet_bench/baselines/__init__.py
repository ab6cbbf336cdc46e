"""The methods that ours is compared with, each from its description, behind one small Protocol."""
