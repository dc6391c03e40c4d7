"""To draw: tubes."""

from sparsekm_edu import SVR, Gaussian, LinearSpline, NuSVR, datasets, figures

X, T = datasets.sinusoid()
C, EPSILON, GAMMA = 1.5, 0.1, 5.0


def draw_7_7(axes):
    model = SVR(C=C, epsilon=EPSILON, kernel=Gaussian(GAMMA)).fit(X, T)
    return figures.figure_7_7(*axes, X, T, model), model


def draw_7_8(axes):
    model = NuSVR(C=1.0, nu=0.5, kernel=Gaussian(1 / (2 * 0.15**2))).fit(X, T)
    return figures.figure_7_8(*axes, X, T, model), model


def shifted_spline(X, Z):
    return LinearSpline()(X + 10, Z + 10)


def draw_sinc_tube(axes):
    X, t = datasets.sinc(noise=0.2, seed=3)
    model = SVR(C=1.0, epsilon=0.15, kernel=shifted_spline).fit(X, t)
    return figures.figure_sinc_tube(axes, {"noisy": (X, t, model)})[0], (X, t, model)


FIGURES = {
    "figure_7_7": (draw_7_7, 2),
    "figure_7_8": (draw_7_8, 2),
    "figure_sinc_tube": (draw_sinc_tube, 2),
}
