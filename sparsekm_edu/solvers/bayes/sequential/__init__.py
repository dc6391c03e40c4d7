"""Sequential sparse Bayesian learning (PRML 7.2.2), one basis function at a time.

Read model (q, s, the best alpha, the change in evidence), then steps, which is the book's box. fast and softmax
compile a quicker schedule of the same steps, and schedules chooses between them: `sequential`.
"""
