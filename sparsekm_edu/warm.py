"""`python -m sparsekm_edu.warm`: compile and draw once, so that the first cell of a lecture is not the slow one."""

from sparsekm_edu import SVC, datasets, explorers


def main():
    """Fill the JIT cache by one fit, and matplotlib's font cache by one explorer."""
    SVC().fit(*datasets.curved())
    explorers.kernel_margin().close()


if __name__ == "__main__":
    main()
