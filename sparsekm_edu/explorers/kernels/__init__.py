"""Explorers of part III, kernels: notebooks 12 to 16."""
