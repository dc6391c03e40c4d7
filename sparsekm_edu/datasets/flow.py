"""Oil, water and gas in a pipe, seen by gamma rays: a simulator of our own in the manner of Bishop and James (1993).

They asked how much of each phase flows through a pipe, and in which configuration, without opening it. Gamma rays of
two energies cross the pipe along six lines, and every phase absorbs them more or less. Their twelve readings are the
data of MLaPP figure 14.9. The geometry, the numbers and the program here are ours; only the idea is theirs.

The cross-section of the pipe is the unit disc, and gravity points down. Phases come in the order oil, water, gas.
"""

import numpy as np
from scipy.special import betaincinv

HOMOGENEOUS, ANNULAR, STRATIFIED = 0, 1, 2
PHASES = "oil", "water", "gas"
VERTICAL = np.array([0.0, 0.35, 0.7])  # x of the vertical beams: left and right of the pipe are alike
HORIZONTAL = np.array([-0.6, 0.0, 0.6])  # y of the horizontal ones
RADIUS = 5.0  # cm
# Absorption per cm, rounded from tables: rows 60 keV (americium), 662 keV (caesium); columns oil, water, gas at 60 bar
ABSORPTION = np.array([(0.167, 0.206, 0.008), (0.075, 0.086, 0.004)])


def three_phase_flow(n=100, photons=1000, seed=0):
    """Twelve readings of a gamma densitometer on a pipe with oil, water and gas in one of three configurations.

    Parameters: n number of measurements, a third in each configuration; photons that are sent along each beam for one
    reading, infinity for readings without noise; seed of the random numbers.
    Returns: X (n, 12), the absorption -log(photons that arrive / photons sent) along the six beams, first at the low
    energy, then at the high one; t (n,): 0 homogeneous, a mixture like milk; 1 annular, a core of gas in a ring of oil
    in a ring of water; 2 stratified, water below oil below gas.

    The shares of the three phases are drawn by `pipe_contents`, all shares equally likely in every configuration: what
    tells configurations apart is only where the phases are. Beer's law gives how many photons are expected to arrive,
    and the number that does is Poisson distributed. If none does, half a photon is reckoned.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.three_phase_flow(n=90)
    >>> print(X.shape, [int((t == kind).sum()) for kind in range(3)])
    (90, 12) [30, 30, 30]
    """
    if not photons > 0:
        raise ValueError(f"photons must be a number > 0 (infinity is allowed), got {photons!r}.")
    t, shares = pipe_contents(n, seed)
    absorbed = np.hstack([RADIUS * beam_paths(t, shares) @ per_cm for per_cm in ABSORPTION])
    if photons == np.inf:
        return absorbed, t
    arrived = np.random.default_rng((seed, 1)).poisson(photons * np.exp(-absorbed))  # Beer's law
    return -np.log(np.maximum(arrived, 0.5) / photons), t


def pipe_contents(n=100, seed=0):
    """What flows in the pipes that `three_phase_flow` measures: t (n,) and the shares of oil, water and gas, (n, 3).

    >>> from sparsekm_edu import datasets
    >>> t, shares = datasets.pipe_contents(n=3)
    >>> print(t, shares.sum(axis=1).round(6))
    [0. 1. 2.] [1. 1. 1.]
    """
    t = np.sort(np.arange(n) % 3).astype(float)
    return t, np.random.default_rng((seed, 0)).dirichlet((1, 1, 1), size=n)


def beam_paths(t, shares):
    """How far each beam runs through each phase, in radii of the pipe: t (n,), shares (n, 3) -> (n, 6, 3).

    >>> from sparsekm_edu import datasets
    >>> in_the_middle = datasets.beam_paths([0, 1, 2], [(0.25, 0.5, 0.25)] * 3)[:, 0]
    >>> print(in_the_middle.round(2))  # rows: homogeneous, annular, stratified; columns: oil, water, gas
    [[0.5  1.   0.5 ]
     [0.41 0.59 1.  ]
     [0.4  1.   0.6 ]]
    """
    t, shares = np.asarray(t), np.asarray(shares, float)
    half = np.sqrt(1 - np.append(VERTICAL, HORIZONTAL) ** 2)  # chords of the circle
    kinds = {
        HOMOGENEOUS: lambda shares: 2 * half[:, None] * shares[:, None],
        ANNULAR: _through_rings,
        STRATIFIED: _through_layers,
    }
    paths = np.empty((len(t), 6, 3))
    for kind, through in kinds.items():
        paths[t == kind] = through(shares[t == kind])
    return paths


def surfaces(shares):
    """Where water meets oil and oil meets gas in stratified flow: two heights for each row of shares, (n, 2).

    A height y has the share I((1 + y) / 2; 3/2, 3/2) of the disc below it, an incomplete beta function.
    """
    oil, water, _ = np.transpose(shares)
    return 2 * betaincinv(1.5, 1.5, np.clip(np.stack([water, water + oil], axis=-1), 0, 1)) - 1


def rims(shares):
    """Radii of the gas and of what oil and gas fill together in annular flow, (n, 2)."""
    oil, _, gas = np.transpose(shares)
    return np.sqrt(np.stack([gas, gas + oil], axis=-1))  # areas of discs


def _through_rings(shares):
    """(n, 3) -> (n, 6, 3): chords of three discs around the same centre, the smaller taken off the larger."""
    offsets = np.append(VERTICAL, HORIZONTAL)
    discs = np.column_stack([rims(shares), np.ones(len(shares))])[:, None]
    gas, with_oil, all_three = np.moveaxis(
        2 * np.sqrt(np.maximum(discs**2 - offsets[:, None] ** 2, 0)), -1, 0
    )
    return np.stack([with_oil - gas, all_three - with_oil, gas], axis=-1)


def _through_layers(shares):
    """(n, 3) -> (n, 6, 3): a vertical beam crosses the layers, a horizontal one stays in its own."""
    low, high = surfaces(shares).T[..., None]
    end = np.sqrt(1 - VERTICAL**2)
    first, second = np.clip(low, -end, end), np.clip(high, -end, end)
    upright = np.stack([second - first, first + end, end - second], axis=-1)
    y = HORIZONTAL
    inside = np.stack([(y >= low) & (y < high), y < low, y >= high], axis=-1)
    across = 2 * np.sqrt(1 - y**2)[:, None] * inside
    return np.concatenate([upright, across], axis=1)
