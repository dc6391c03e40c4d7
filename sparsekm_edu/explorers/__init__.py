"""Explorers: the figures of the course, alive. `explorers.margin()` as the last line of a cell shows one."""

from sparsekm_edu.explorers.rvm.classification import irls_player, placing, rvm_classification
from sparsekm_edu.explorers.rvm.descent import descent, runaway
from sparsekm_edu.explorers.rvm.laplace import degree, laplace, predictive
from sparsekm_edu.explorers.rvm.regression import evidence_climb, far_away, rvm_regression
from sparsekm_edu.explorers.rvm.ripley import ripley_draws
from sparsekm_edu.explorers.rvm.sequential import sequential_player
from sparsekm_edu.explorers.rvm.sinc import ard_widths, rvm_sinc
from sparsekm_edu.explorers.rvm.softmax import softmax_rvm
from sparsekm_edu.explorers.rvm.sparsity import sparsity
from sparsekm_edu.explorers.svm.bounds import bounds
from sparsekm_edu.explorers.svm.class_costs import class_costs
from sparsekm_edu.explorers.svm.complexity import complexity
from sparsekm_edu.explorers.svm.feature_map import feature_map
from sparsekm_edu.explorers.svm.geometry import geometry
from sparsekm_edu.explorers.svm.lagrange import lagrange
from sparsekm_edu.explorers.svm.losses import insensitive, losses, no_likelihood
from sparsekm_edu.explorers.svm.margins import kernel_margin, margin
from sparsekm_edu.explorers.svm.multiclass import ambiguity, multiclass
from sparsekm_edu.explorers.svm.novelty import one_class
from sparsekm_edu.explorers.svm.outlier import outlier
from sparsekm_edu.explorers.svm.parzen import parzen_limit
from sparsekm_edu.explorers.svm.probabilities import log_odds, platt
from sparsekm_edu.explorers.svm.regression import nu_tube, sinc_tube, tube
from sparsekm_edu.explorers.svm.scale_mixture import scale_mixture
from sparsekm_edu.explorers.svm.shattering import shattering
from sparsekm_edu.explorers.svm.soft_margin import nu_margin, soft_margin
from sparsekm_edu.explorers.svm.training import path, smo_player

__all__ = [
    "ambiguity",
    "ard_widths",
    "bounds",
    "class_costs",
    "complexity",
    "degree",
    "descent",
    "evidence_climb",
    "far_away",
    "feature_map",
    "geometry",
    "insensitive",
    "irls_player",
    "kernel_margin",
    "lagrange",
    "laplace",
    "log_odds",
    "losses",
    "margin",
    "multiclass",
    "no_likelihood",
    "nu_margin",
    "nu_tube",
    "one_class",
    "outlier",
    "parzen_limit",
    "path",
    "placing",
    "platt",
    "predictive",
    "ripley_draws",
    "runaway",
    "rvm_classification",
    "rvm_regression",
    "rvm_sinc",
    "scale_mixture",
    "sequential_player",
    "shattering",
    "sinc_tube",
    "smo_player",
    "soft_margin",
    "softmax_rvm",
    "sparsity",
    "tube",
]
