"""To draw: digits, clean, noisy and restored."""

from sparsekm_edu import KernelPCA, Linear, datasets, figures
from sparsekm_edu.lessons.denoising import noisy, restored


def draw_denoising(axes):
    X = datasets.digit_images(110, digits=range(10))[0].reshape(110, 64) / 16
    learned, clean = X[:100], X[100:]
    Y = noisy(clean, "Gaussian", 0.3, seed=0)
    rows = {
        "clean": clean,
        "noisy": Y,
        "PCA": restored(KernelPCA(Linear(), n_components=15).fit(learned), Y, 15),
    }
    rows = {name: pictures.reshape(10, 8, 8) for name, pictures in rows.items()}
    return figures.figure_denoising(*axes, rows), rows


FIGURES = {"figure_denoising": (draw_denoising, 1)}
