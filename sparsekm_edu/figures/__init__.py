"""Every figure of the course: functions that draw arrays and results on given Axes, and never fit anything."""

from sparsekm_edu.figures.kernels.components import figure_14_7, figure_14_8, figure_14_9
from sparsekm_edu.figures.kernels.denoising import figure_denoising
from sparsekm_edu.figures.kernels.densities import figure_14_16, figure_14_17, figure_growing_volume
from sparsekm_edu.figures.kernels.documents import figure_documents, figure_support_documents
from sparsekm_edu.figures.kernels.generative import figure_overlap, figure_scores
from sparsekm_edu.figures.kernels.lab import figure_mercer_witness, figure_sample_functions
from sparsekm_edu.figures.kernels.local_fits import (
    figure_14_18,
    figure_equivalent_kernels,
    figure_straight_line,
)
from sparsekm_edu.figures.kernels.medoids import figure_medoids
from sparsekm_edu.figures.kernels.neighbours import figure_neighbours
from sparsekm_edu.figures.kernels.optimism import (
    figure_evidence_over_gamma,
    figure_optimism,
    figure_promises,
    figure_search,
)
from sparsekm_edu.figures.kernels.prototypes import figure_14_2, figure_14_3
from sparsekm_edu.figures.kernels.pyramid import figure_14_1, figure_digit_sets
from sparsekm_edu.figures.kernels.ridge import figure_ridge_costs
from sparsekm_edu.figures.kernels.selection import figure_14_15
from sparsekm_edu.figures.kernels.strings import figure_string_match
from sparsekm_edu.figures.kernels.vector_machines import figure_14_4, figure_14_5, figure_14_6, figure_order
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.classification import (
    figure_7_12,
    figure_irls,
    figure_placement,
    figure_two_probabilities,
)
from sparsekm_edu.figures.rvm.descent import figure_descent, figure_probit, figure_runaway, figure_softmax
from sparsekm_edu.figures.rvm.laplace import figure_degree, figure_laplace, figure_predictive
from sparsekm_edu.figures.rvm.regression import figure_7_9, figure_evidence_climb, figure_far_away
from sparsekm_edu.figures.rvm.ripley import figure_ripley, figure_ripley_draws
from sparsekm_edu.figures.rvm.sequential import figure_q_s_plane
from sparsekm_edu.figures.rvm.sinc import figure_benchmark, figure_draws, figure_sinc_relevance, figure_widths
from sparsekm_edu.figures.rvm.softmax import figure_softmax_rvm
from sparsekm_edu.figures.rvm.sparsity import figure_7_10, figure_7_11, figure_schedules
from sparsekm_edu.figures.style import CLOSE, CRESCENT, DARK, LIGHT, RIPLEY, SQUARE, WIDE, panels
from sparsekm_edu.figures.svm.bounds import figure_learning_curve, figure_pac, figure_pac_bayes
from sparsekm_edu.figures.svm.class_costs import figure_class_costs
from sparsekm_edu.figures.svm.complexity import figure_complexity
from sparsekm_edu.figures.svm.feature_map import figure_feature_map
from sparsekm_edu.figures.svm.geometry import figure_14_12a
from sparsekm_edu.figures.svm.lagrange import figure_kkt, figure_lagrange
from sparsekm_edu.figures.svm.losses import (
    figure_7_5,
    figure_7_6,
    figure_four_losses,
    figure_locations,
    figure_no_likelihood,
)
from sparsekm_edu.figures.svm.margins import figure_7_1, figure_7_2
from sparsekm_edu.figures.svm.multiclass import figure_14_14, figure_disagreement, figure_strategies
from sparsekm_edu.figures.svm.novelty import figure_novelty
from sparsekm_edu.figures.svm.outlier import figure_outlier
from sparsekm_edu.figures.svm.parzen import figure_parzen_limit
from sparsekm_edu.figures.svm.probabilities import figure_14_13, figure_platt
from sparsekm_edu.figures.svm.regression import figure_7_7, figure_7_8, figure_sinc_tube
from sparsekm_edu.figures.svm.scale_mixture import figure_14_68, figure_em_svm
from sparsekm_edu.figures.svm.shattering import figure_growth, figure_shattering
from sparsekm_edu.figures.svm.soft_margin import figure_7_3, figure_7_4
from sparsekm_edu.figures.svm.training import figure_path, figure_scaling, figure_smo_step

__all__ = [
    "CLOSE",
    "CRESCENT",
    "DARK",
    "LIGHT",
    "RIPLEY",
    "SQUARE",
    "WIDE",
    "figure_14_1",
    "figure_14_12a",
    "figure_14_13",
    "figure_14_14",
    "figure_14_15",
    "figure_14_16",
    "figure_14_17",
    "figure_14_18",
    "figure_14_2",
    "figure_14_3",
    "figure_14_4",
    "figure_14_5",
    "figure_14_6",
    "figure_14_68",
    "figure_14_7",
    "figure_14_8",
    "figure_14_9",
    "figure_7_1",
    "figure_7_10",
    "figure_7_11",
    "figure_7_12",
    "figure_7_2",
    "figure_7_3",
    "figure_7_4",
    "figure_7_5",
    "figure_7_6",
    "figure_7_7",
    "figure_7_8",
    "figure_7_9",
    "figure_benchmark",
    "figure_class_costs",
    "figure_complexity",
    "figure_degree",
    "figure_denoising",
    "figure_descent",
    "figure_digit_sets",
    "figure_disagreement",
    "figure_documents",
    "figure_draws",
    "figure_em_svm",
    "figure_equivalent_kernels",
    "figure_evidence_climb",
    "figure_evidence_over_gamma",
    "figure_far_away",
    "figure_feature_map",
    "figure_four_losses",
    "figure_growing_volume",
    "figure_growth",
    "figure_irls",
    "figure_kkt",
    "figure_lagrange",
    "figure_laplace",
    "figure_learning_curve",
    "figure_locations",
    "figure_medoids",
    "figure_mercer_witness",
    "figure_neighbours",
    "figure_no_likelihood",
    "figure_novelty",
    "figure_optimism",
    "figure_order",
    "figure_outlier",
    "figure_overlap",
    "figure_pac",
    "figure_pac_bayes",
    "figure_parzen_limit",
    "figure_path",
    "figure_placement",
    "figure_platt",
    "figure_predictive",
    "figure_probit",
    "figure_promises",
    "figure_q_s_plane",
    "figure_ridge_costs",
    "figure_ripley",
    "figure_ripley_draws",
    "figure_runaway",
    "figure_sample_functions",
    "figure_scaling",
    "figure_schedules",
    "figure_scores",
    "figure_search",
    "figure_shattering",
    "figure_sinc_relevance",
    "figure_sinc_tube",
    "figure_smo_step",
    "figure_softmax",
    "figure_softmax_rvm",
    "figure_straight_line",
    "figure_strategies",
    "figure_string_match",
    "figure_support_documents",
    "figure_two_probabilities",
    "figure_widths",
    "grid_over",
    "panels",
]
