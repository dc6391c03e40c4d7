"""Progress bars for what takes long: silent where it does not."""

SILENCE = 2.0  # seconds without a progress bar, if it is not asked for


def progress_bar(total, unit, progress):
    """A bar of tqdm, drawn in the notebook where there is one and else in the terminal.

    Parameters: total number of units; progress: True shows it at once, False never, None after two seconds.
    """
    from tqdm.auto import tqdm  # here, because in a notebook it imports ipywidgets

    if progress not in (None, True, False):
        raise ValueError(f"progress must be True, False or None, got {progress!r}.")
    return tqdm(total=total, unit=unit, disable=progress is False, delay=0 if progress else SILENCE)
