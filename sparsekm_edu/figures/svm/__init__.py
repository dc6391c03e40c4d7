"""Figures of part I, support vector machines: notebooks 01 to 07."""
