"""Explorers of part II, relevance vector machines: notebooks 08 to 11."""
