"""Lessons: the mathematics of one picture each. Arrays in, arrays out; they may call solvers, nobody solves by them.

lagrange, hulls, parzen (01), outliers (02), losses (04), halfplanes, voting, nu (05), capacity, bounds (07),
error_surface, densities, integration (08), sparsity (10), inside_reestimation, true_error (11), processes,
matching, substrings (12), prototypes, vector_machines, comparison (13), neighbours, components, denoising (14),
optimism (15), volumes, local_lines, bias_variance (16). Import what a notebook needs from its module:
`from sparsekm_edu.lessons.lagrange import Bowl`.
"""
