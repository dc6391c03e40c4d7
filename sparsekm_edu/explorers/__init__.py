"""Explorers: the figures of the course, alive. `explorers.margin()` as the last line of a cell shows one."""

from sparsekm_edu.explorers.kernels.components import flow, kernel_components
from sparsekm_edu.explorers.kernels.denoising import denoise
from sparsekm_edu.explorers.kernels.densities import growing_volume, parzen_windows
from sparsekm_edu.explorers.kernels.documents import documents
from sparsekm_edu.explorers.kernels.generative import overlap
from sparsekm_edu.explorers.kernels.lab import kernel_lab
from sparsekm_edu.explorers.kernels.local_fits import bias_variance, local_fit
from sparsekm_edu.explorers.kernels.medoids import medoids
from sparsekm_edu.explorers.kernels.neighbours import neighbours
from sparsekm_edu.explorers.kernels.optimism import optimism
from sparsekm_edu.explorers.kernels.prototypes import prototypes, rbf_basis
from sparsekm_edu.explorers.kernels.pyramid import pyramid
from sparsekm_edu.explorers.kernels.ridge import ridge
from sparsekm_edu.explorers.kernels.selection import cv_surface
from sparsekm_edu.explorers.kernels.strings import string_match
from sparsekm_edu.explorers.kernels.vector_machines import four_classifiers, four_curves
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
from sparsekm_edu.explorers.svm.feature_map import feature_map, lift
from sparsekm_edu.explorers.svm.geometry import geometry
from sparsekm_edu.explorers.svm.lagrange import lagrange
from sparsekm_edu.explorers.svm.losses import insensitive, losses, no_likelihood
from sparsekm_edu.explorers.svm.margins import hulls, kernel_margin, margin
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

# in the order of the notebooks
__all__ = [
    # 01 Maximum margin
    "margin",
    "geometry",
    "lagrange",
    "hulls",
    "lift",
    "kernel_margin",
    "parzen_limit",
    # 02 Soft margin
    "soft_margin",
    "nu_margin",
    "complexity",
    "class_costs",
    "outlier",
    "feature_map",
    # 03 Training support vector machines
    "smo_player",
    "path",
    # 04 Losses and probabilities
    "losses",
    "insensitive",
    "platt",
    "log_odds",
    "no_likelihood",
    "scale_mixture",
    # 05 Many classes, one class
    "ambiguity",
    "multiclass",
    "one_class",
    # 06 Support vector regression
    "tube",
    "nu_tube",
    "sinc_tube",
    # 07 Learning theory
    "shattering",
    "bounds",
    # 08 Bayesian foundations
    "descent",
    "runaway",
    "laplace",
    "degree",
    "predictive",
    # 09 RVM regression
    "rvm_regression",
    "evidence_climb",
    "far_away",
    "rvm_sinc",
    "ard_widths",
    # 10 Analysis of sparsity
    "sparsity",
    "sequential_player",
    # 11 RVM classification
    "rvm_classification",
    "irls_player",
    "placing",
    "ripley_draws",
    "softmax_rvm",
    # 12 Kernels
    "kernel_lab",
    "documents",
    "string_match",
    "pyramid",
    "overlap",
    # 13 Kernel machines
    "prototypes",
    "rbf_basis",
    "four_classifiers",
    "four_curves",
    # 14 The kernel trick
    "neighbours",
    "medoids",
    "ridge",
    "kernel_components",
    "flow",
    "denoise",
    # 15 Choosing hyperparameters
    "cv_surface",
    "optimism",
    # 16 Smoothing kernels
    "parzen_windows",
    "growing_volume",
    "local_fit",
    "bias_variance",
]
