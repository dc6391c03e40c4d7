"""Linear models with a likelihood and a penalty. `sparsekm_edu.solvers` holds the public names."""
