"""To draw: documents as a matrix, as points, and as those that machines keep."""

import numpy as np

from sparsekm_edu import RVC, SVC, TfIdf, datasets, figures
from sparsekm_edu.kernels import centred, mercer_features


def draw_documents(axes):
    X, t = datasets.documents()
    K = TfIdf()(X)
    Z = mercer_features(centred(K))[:, :2]
    return figures.figure_documents(axes, K, Z, t), (K, Z, t)


def draw_support_documents(axes):
    X, t = datasets.documents()
    two = np.isin(t, ["cooking", "gardening"])
    X, t, titles = X[two], t[two], datasets.document_titles()[two]
    svm, rvm = SVC(kernel=TfIdf(), C=10.0).fit(X, t), RVC(kernel=TfIdf()).fit(X, t)
    machines = [
        ("SVM", svm.support_, np.ravel(svm.dual_coef_)),
        ("RVM", rvm.relevance_, np.ravel(rvm.coef_)),
    ]
    return figures.figure_support_documents(axes, titles, t, machines), (titles, t, machines)


FIGURES = {
    "figure_documents": (draw_documents, 2),
    "figure_support_documents": (draw_support_documents, 2),
}
