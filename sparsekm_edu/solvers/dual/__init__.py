"""One dual problem, every support vector machine, and its solvers. `sparsekm_edu.solvers` holds the public names.

problem and gram state it, formulations writes the machines as instances of it, qp, smo, chunking and path solve it;
scale_mixture reaches the same answer by EM. joint is the larger problem of machines that see all classes at once.
"""
