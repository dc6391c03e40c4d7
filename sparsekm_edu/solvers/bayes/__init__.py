"""One evidence, and those who climb it. `sparsekm_edu.solvers` holds the public names.

evidence and laplace (softmax for many classes) compute it; reestimation and sequential learn the precisions.
"""
