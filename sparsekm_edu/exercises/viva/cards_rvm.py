"""Viva cards on relevance vector machines: notebooks 09 to 11."""

from sparsekm_edu.exercises.viva.card import Card

CARDS = (
    Card(
        "rvm-model",
        question="Write down the relevance vector machine for regression. What is a relevance vector, and "
        "how does the machine differ from support vector regression?",
        answer=r"A kernel on every point and a bias (7.78), Gaussian noise of precision $\beta$ (7.76), and "
        "the decisive part: every weight has a prior precision of its own (7.80). Maximising the evidence "
        r"sends most $\alpha_i$ to infinity, and those weights are exactly zero. The inputs whose weights "
        r"survive are the relevance vectors. Unlike the SVM it needs no $C$, no $\epsilon$ and no Mercer "
        "kernel, for any columns will do, and it predicts distributions. In return its objective is not "
        "concave: where training ends may depend on the start. The kernel's width remains our choice."
        "\n\n"
        "In the picture it keeps 3 of 10 kernels, the SVM 7.",
        formula=r"p(t\mid\mathbf x,\mathbf w,\beta)=\mathcal N\left(t\mid\mathbf w^{\mathsf T}\boldsymbol\phi("
        r"\mathbf x),\beta^{-1}\right)\quad(7.76)\qquad p(\mathbf w\mid\boldsymbol\alpha)=\prod_i\mathcal "
        r"N(w_i\mid0,\alpha_i^{-1})\quad(7.80)",
        show="explorers.rvm_regression()",
        teaches=("09, section 1", "09_rvm_regression.ipynb#1-The-same-ten-points,-with-error-bars"),
        tags=("RVM", "define"),
    ),
    Card(
        "rvm-evidence",
        question=r"Derive the posterior and the evidence of the RVM for given $\boldsymbol\alpha$ and "
        r"$\beta$. What is the evidence approximation, and what does it ignore?",
        answer=r"Prior and likelihood are Gaussian. Complete the square in $\mathbf w$, as below: the "
        r"posterior is Gaussian with covariance $\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf "
        r"T}\boldsymbol\Phi)^{-1}$ (7.83) and mean $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf "
        r"T}\mathbf t$ (7.82), where $\mathbf A=\operatorname{diag}(\alpha_i)$. Integrate $\mathbf w$ out "
        r"instead (7.84): the targets are noise plus random weights seen through $\boldsymbol\Phi$, a sum of "
        r"Gaussians, so they are Gaussian around zero with covariance $\mathbf C$ (7.86). The evidence "
        r"approximation, or type-2 maximum likelihood, maximises this over $\boldsymbol\alpha$ and $\beta$, "
        "and then takes the values found for the truth. What is uncertain about them is ignored."
        "\n\n"
        "In the picture the climb ends at −3.7876 nats.",
        formula=r"\tfrac\beta2\lVert\mathbf t-\boldsymbol\Phi\mathbf w\rVert^2+\tfrac12\mathbf w^{\mathsf T}\mathbf "
        r"A\mathbf w\quad =\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf "
        r"m)+\tfrac12\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t\qquad \ln p(\mathbf "
        r"t\mid\boldsymbol\alpha,\beta)=-\tfrac12\{N\ln2\pi+\ln|\mathbf C|+\mathbf t^{\mathsf T}\mathbf "
        r"C^{-1}\mathbf t\},\quad \mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf "
        r"A^{-1}\boldsymbol\Phi^{\mathsf T}\quad(7.85,\,7.86)",
        show="explorers.evidence_climb(step=27)",
        teaches=("09, section 2", "09_rvm_regression.ipynb#2-The-weights-integrated-out"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-prior",
        question="Which functions does the RVM believe in before it sees data? And why does the evidence "
        "prefer a weight that is exactly zero to one that is merely small?",
        answer="Weights are independent Gaussians (7.80), so $y$, at any inputs, is Gaussian with mean zero "
        r"and the covariance below: (7.86) without the noise. It vanishes where all $\phi_i$ do: hence the "
        "bars that shrink far away (09, section 4). The evidence asks how probable the targets are under "
        "these guesses. A weight that may move makes other targets possible, too, and what it gives to those "
        "it takes from the ones that we saw. Unless it explains these much better in return, the best "
        r"$\alpha_i$ is infinite, and the weight exactly zero. One $\alpha$ for all would shrink all weights "
        "together.",
        formula=r"y(\mathbf x)=\sum_iw_i\,\phi_i(\mathbf x),\quad \operatorname{cov}\left[y(\mathbf "
        r"x),y(\mathbf x')\right]=\sum_i\frac{\phi_i(\mathbf x)\,\phi_i(\mathbf x')}{\alpha_i}\qquad \mathbf "
        r"C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}\quad(7.86)",
        show="",
        teaches=("09, section 2", "09_rvm_regression.ipynb#2-The-weights-integrated-out"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-climbs",
        question=r"Re-estimation or EM: how does each of them change $\alpha_i$, what does $\gamma_i$ mean, "
        r"and which is quicker?",
        answer="Set the slope of the evidence to zero and read it as an update: "
        r"$\alpha_i\leftarrow\gamma_i/m_i^2$ (7.87). Here $\gamma_i=1-\alpha_i\Sigma_{ii}$ (7.89) is near one "
        "if the data determine the weight, and near zero if the prior does. EM takes the weights for missing "
        r"data: $\alpha_i\leftarrow1/(m_i^2+\Sigma_{ii})$ (9.67). Both have the same resting places. EM never "
        r"goes down, re-estimation has no such guarantee. But to an $\alpha_i$ on its way to infinity EM adds "
        "where (7.87) multiplies, so it is slow. Another way or another start may end on another top."
        "\n\n"
        "In the picture EM takes 102 steps to rest, re-estimation 27.",
        formula=r"\alpha_i^{\text{new}}=\frac{\gamma_i}{m_i^2},\quad\gamma_i=1-\alpha_i\Sigma_{ii},\quad "
        r"(\beta^{\text{new}})^{-1}=\frac{\lVert\mathbf t-\boldsymbol\Phi\mathbf m\rVert^2}{N-\sum_i\gamma_i}"
        r"\qquad(7.87\text{–}7.89)",
        show='explorers.evidence_climb(step=10, way="EM")',
        teaches=("09, section 3", "09_rvm_regression.ipynb#3-Two-ways-up"),
        tags=("RVM", "compare"),
    ),
    Card(
        "rvm-error-bars",
        question="Somebody shows you an RVM whose error bars are narrowest far away from all data, and "
        "concludes that it extrapolates well. What do you say?",
        answer="The variance is noise plus what is unknown about the weights (7.91). Far from all centres "
        "Gaussian kernels vanish, the second term with them, and only the noise is left (the bias was pruned "
        "here; if kept, its variance remains). So it is surest where it knows nothing, and least sure beside "
        "its own relevance vectors. The fault is in the prior, by which the function *is* zero out there. A "
        "Gaussian process with the same kernel returns to what it believed before the data, and pays with "
        "all kernels for every prediction. Such bars are not for extrapolation."
        "\n\n"
        "In the picture the standard deviation is 0.239 far out and up to 0.286 beside the relevance "
        "vectors; the Gaussian process says 0.586 far out, with 10 kernels instead of 3.",
        formula=r"\sigma^2(\mathbf x)=\beta^{-1}+\boldsymbol\phi(\mathbf x)^{\mathsf T}\boldsymbol\Sigma\,"
        r"\boldsymbol\phi(\mathbf x)\qquad(7.91)",
        show="explorers.far_away(probe=2.0)",
        teaches=("09, section 4", "09_rvm_regression.ipynb#4-Surest-where-it-knows-nothing"),
        tags=("RVM", "judge"),
    ),
    Card(
        "rvm-all-data",
        question="'My RVM keeps 7 of 200 points, so the others were not needed. Next time we measure only "
        "seven.' What do you say?",
        answer="Sparse means few kernels in the prediction, not few data read. A point that is no relevance "
        "vector has lost its basis function, not its vote: mean (7.82), covariance and noise rest on all $N$ "
        "targets. Move such a target, and the curve moves. (Strictly inside the tube of an SVM a point may "
        "move without effect; but which points, only training on all of them tells.) More data make the "
        "machine better, not larger. Whoever drops the rows along with the columns gets wrong error bars."
        "\n\n"
        "In the picture's median draw the number of kernels is 6 for 25 points and 6 for 200, while the "
        "error falls from 0.0820 to 0.0282.",
        formula=r"\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t,\qquad "
        r"\boldsymbol\Phi:\ N\times M,\ \text{all rows, few columns}\qquad(7.82)",
        show="explorers.rvm_sinc(n=200)",
        teaches=("09, section 5", "09_rvm_regression.ipynb#5-Printed-numbers,-recomputed:-Tipping's-sinc"),
        tags=("RVM", "judge"),
    ),
    Card(
        "rvm-quality",
        question="What are the quality $q_i$ and the sparsity $s_i$ of a basis function, as formulas and in "
        "words?",
        answer="Split off what function $i$ adds to the covariance of the targets (7.93). The quality is "
        r"$q_i=\beta\,\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\mathbf y_{-i})$: its alignment with the "
        r"error that the model makes without it. The sparsity is $\beta\lVert\boldsymbol\varphi_i\rVert^2$ "
        "less the part that the other functions can imitate; so overlap makes $s_i$ smaller, not larger. A "
        "duplicate is thrown out all the same, because its $q_i^2$ falls even more. The verdict compares the "
        "two: the function belongs in the model exactly if $q_i^2>s_i$."
        "\n\n"
        r"In the picture $\boldsymbol\varphi$ points past the data, $q^2$ is 0.1717 and $s$ is 1.0562: a "
        r"longer cloud makes $\mathbf t$ less probable, so leave it out.",
        formula=r"s_i=\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\boldsymbol\varphi_i\quad(7.98)"
        r"\qquad q_i=\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\mathbf t\quad(7.99)",
        show="explorers.sparsity(angle=100.0)",
        teaches=("10, section 2", "10_sparsity.ipynb#2-One-precision-at-a-time-·-core"),
        tags=("RVM", "define"),
    ),
    Card(
        "rvm-sparsity",
        question=r"Show at the blackboard why the evidence sets weights exactly to zero, and find the best "
        r"$\alpha_i$.",
        answer="By the determinant lemma (7.94) and Sherman–Morrison (7.95) the log evidence depends on "
        r"$\alpha_i$ only through $\lambda(\alpha_i)$ (7.97). Its first part is a price, always negative: a "
        "weight that may move spreads probability over more targets. The second is a reward for explaining "
        r"those we saw. The slope (7.100) has the sign of $s^2/\alpha-(q^2-s)$. For $q^2\le s$ that is "
        r"positive everywhere, so $\alpha$ runs to infinity and the weight is zero; nobody set a threshold. "
        "For $q^2>s$ it changes sign once, at (7.101)."
        "\n\n"
        "In the picture, with $q^2=4$ and $s=1$ as in figure 7.11, the maximum is at 0.3333 and gains 0.8069 "
        "nats.",
        formula=r"\lambda(\alpha)=\tfrac12\left[\ln\frac{\alpha}{\alpha+s}+\frac{q^2}{\alpha+s}\right]"
        r"\quad(7.97)\qquad \alpha^\ast=\frac{s^2}{q^2-s}\ \text{ if }\ q^2>s,\ \text{ else "
        r"}\infty\quad(7.101)",
        show='explorers.sparsity(given="numbers", q2=4.0, s=1.0, alpha=0.3333)',
        teaches=("10, section 3", "10_sparsity.ipynb#3-Finite-or-infinite-·-core"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-letters",
        question="How does the machine know $q_i$ and $s_i$ of all its functions without an inverse for each "
        "of them? Derive them from the large letters $Q_i$ and $S_i$.",
        answer=r"Each function has a $\mathbf C_{-i}$ of its own. Use the full $\mathbf C$ for all of them: "
        "that gives the large letters (7.102), (7.103). Multiply Sherman–Morrison (7.95) by "
        r"$\boldsymbol\varphi_i^{\mathsf T}$ from the left, and by $\boldsymbol\varphi_i$ or $\mathbf t$ from "
        r"the right: $S_i=s_i-s_i^2/(\alpha_i+s_i)=\alpha_is_i/(\alpha_i+s_i)$, and likewise "
        r"$Q_i=\alpha_iq_i/(\alpha_i+s_i)$. So $\alpha_i-S_i=\alpha_i^2/(\alpha_i+s_i)$; divide, and (7.104) "
        r"and (7.105) are there. Outside the model, $\alpha_i=\infty$, small and large letters are the same. "
        r"Not even $\mathbf C$ is inverted: with the members' columns $\mathbf F$ Woodbury's identity says "
        r"$\mathbf C^{-1}=\beta\mathbf I-\beta^2\mathbf F\boldsymbol\Sigma\mathbf F^{\mathsf T}$, hence "
        "(7.106) and (7.107). One inverse, as large as the model, serves everybody.",
        formula=r"q_i=\frac{\alpha_iQ_i}{\alpha_i-S_i},\quad "
        r"s_i=\frac{\alpha_iS_i}{\alpha_i-S_i}\quad(7.104,\,7.105)\qquad "
        r"Q_i=\beta\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\mathbf F\mathbf m)\quad(7.106)\qquad "
        r"S_i=\beta\boldsymbol\varphi_i^{\mathsf T}\boldsymbol\varphi_i\quad "
        r"-\beta^2\boldsymbol\varphi_i^{\mathsf T}\mathbf F\boldsymbol\Sigma\mathbf F^{\mathsf "
        r"T}\boldsymbol\varphi_i\quad(7.107)",
        show="",
        teaches=("10, section 4", "10_sparsity.ipynb#4-Large-and-small-letters-·-core"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-sequential",
        question="Describe the sequential sparse Bayesian learning algorithm. What does it save, and where "
        "can it fail?",
        answer=r"Choose $\beta$, begin with one function, know $q_i$ and $s_i$ of all. Pick the candidate "
        r"that gains most by (7.97). If $q_i^2>s_i$, give it the best $\alpha_i$ (7.101): re-estimate it if "
        r"it is in the model, add it if not. If $q_i^2\le s_i$ and it is in, delete it. In regression learn "
        r"$\beta$ again; stop when nothing is left to gain. The saving: an inverse costs $M^3$ with the $M$ "
        r"functions in the model, whose columns are $\mathbf F$, not with all $N+1$. The end is a summit for "
        "single actions, not always the highest."
        "\n\n"
        "In the picture, after 12 steps, 3 of 11 functions are in.",
        formula=r"Q_i=\beta\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\mathbf F\mathbf m)\quad(7.106)\qquad "
        r"q_i=\frac{\alpha_iQ_i}{\alpha_i-S_i},\quad s_i=\frac{\alpha_iS_i}{\alpha_i-S_i}\quad(7.104,\,7.105)",
        show="explorers.sequential_player(step=12)",
        teaches=("10, section 5", "10_sparsity.ipynb#5-The-box,-in-full-·-core"),
        tags=("RVM", "define"),
    ),
    Card(
        "rvm-noise",
        question=r"Somebody adds a basis function, changes the noise precision $\beta$ as well, and shows "
        r"that the evidence rose. So the function belongs in the model?",
        answer=r"Not by this argument. In the picture noise alone gets −2.3441 at $\beta=1$. With the function and "
        r"less noise, $|\mathbf C|$ being the same, it is −2.2833. But now $\beta$ is 1.508, where noise "
        r"alone gets −2.19, which is more. With the function at $\beta=1$ it is −2.4780: here $q^2<s$, so "
        r"out. Yet the verdict depends on $\beta$: with each model at its own best it is −2.022 with the "
        r"function and −2.157 without, so in. Fit $\beta$ on both sides before you compare. (In training, "
        r"noise that is learned too early swallows the signal, and every function falls below $q^2=s$.)",
        formula=r"\mathbf C=\frac1\beta\mathbf I+\frac1\alpha\boldsymbol\varphi\boldsymbol\varphi^{\mathsf T}"
        r"\quad(7.92)\qquad L(\boldsymbol\alpha)=L(\boldsymbol\alpha_{-i})+\lambda(\alpha_i)\ \text{ for "
        r"fixed }\beta\quad(7.96)",
        show="explorers.sparsity(angle=57.0, alpha=2.0, fitted=False, t=(0.9, 0.45))",
        teaches=("10, section 1", "10_sparsity.ipynb#1-Two-observations,-one-function-·-core"),
        tags=("RVM", "judge"),
    ),
    Card(
        "rvm-classifier",
        question="Build the relevance vector machine for two classes. Which step of regression breaks, and "
        "what takes its place?",
        answer=r"The log odds are $\mathbf w^{\mathsf T}\boldsymbol\phi(\mathbf x)$ (7.108), the priors as "
        "before. With a Bernoulli likelihood the weights cannot be integrated out. So, for given "
        r"$\boldsymbol\alpha$: find the mode by Newton's method, with gradient (7.110) and Hessian (7.111); "
        "put a Gaussian of that curvature there (7.113), which gives an approximate evidence (7.114); then "
        r"$\alpha_i\leftarrow\gamma_i/(w_i^\ast)^2$ (7.116), and round again. (7.112) is no recipe for "
        r"$\mathbf w^\ast$, since $\mathbf y$ depends on it. The update holds $\mathbf w^\ast$ fixed, so "
        "(7.114) may fall a little."
        "\n\n"
        "In the picture, after 60 small steps, 17 of 31 functions are left; in the end 3.",
        formula=r"\nabla=\boldsymbol\Phi^{\mathsf T}(\mathbf t-\mathbf y)-\mathbf A\mathbf w\quad(7.110)"
        r"\qquad \boldsymbol\Sigma=(\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A)^{-1},\quad "
        r"b_n=y_n(1-y_n)\quad(7.113)",
        show="explorers.irls_player(step=60)",
        teaches=("11, section 3", "11_rvm_classification.ipynb#3-The-evidence-around-the-mode"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-disguise",
        question="How does the RVM classifier borrow $q$ and $s$ from regression? And what is wrong with "
        "(7.119) as the book prints it?",
        answer=r"At the mode it looks like a regression with targets $\hat{\mathbf t}$ (7.117) and a noise "
        "precision $b_n=y_n(1-y_n)$ for each point: the weighted least squares of Newton's last step. Its "
        r"posterior is Laplace's Gaussian. A sure point has $b_n\approx0$ and is nearly free to be anything. "
        r"So all formulas of regression apply, with the covariance of $\hat{\mathbf t}$. The book prints "
        r"$\mathbf B+\boldsymbol\Phi\mathbf A\boldsymbol\Phi^{\mathsf T}$: precisions where variances belong. "
        r"With the inverses $\mathbf C^{-1}\hat{\mathbf t}=\mathbf t-\mathbf y$, so $Q_i$ is the overlap of a "
        "function with what is still misjudged. (7.118) is the evidence of the disguise, not (7.114); with "
        r"$\mathbf w^\ast$ held, both lead to the same $\boldsymbol\alpha$."
        "\n\n"
        "In the picture all relevance vectors are in. At the probe $Q=q$ is −0.0244, $q^2$ is 0.0005932 and "
        "$s$ is 0.04898: little is left to explain.",
        formula=r"\hat{\mathbf t}=\boldsymbol\Phi\mathbf w^\ast+\mathbf B^{-1}(\mathbf t-\mathbf "
        r"y)\quad(7.117)\qquad \mathbf C=\mathbf B^{-1}+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf "
        r"T}\quad(7.119\text{, mended})\qquad Q_i=\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\mathbf y)",
        show='explorers.placing(inside="all RVs")',
        teaches=("11, section 5", "11_rvm_classification.ipynb#5-A-regression-in-disguise"),
        tags=("RVM", "derive"),
    ),
    Card(
        "rvm-archetypes",
        question="Where do the support vectors of a classifier lie, where its relevance vectors, and why?",
        answer="Support vectors are the difficult points, on the edge of the street, inside it, or wrong: "
        "they crowd along the boundary. Relevance vectors of a wide kernel keep away from it. In an empty "
        r"model $y_n=\tfrac12$, and $q^2/s=N\cos^2\theta$, with the angle between $\boldsymbol\varphi$ and "
        r"$\mathbf t-\tfrac12$. On the boundary one class pulls the weight up, the other down: $q\approx0$. "
        "Deep inside a class all pull the same way. Narrow kernels may stand close to the boundary: they see "
        "one class even there."
        "\n\n"
        r"The picture shows the reason: at its probe the pulls, in units of $\sqrt s$, are 4.13 and −3.56, "
        "together 0.57. That is below one, so $q^2<s$. The two kinds of vectors are marked in 11, section 1.",
        formula=r"q=\boldsymbol\varphi^{\mathsf T}(\mathbf t-\tfrac12),\quad s=\tfrac14"
        r"\boldsymbol\varphi^{\mathsf T}\boldsymbol\varphi,\qquad\frac{q^2}s=N\cos^2\theta\qquad(\text{with "
        r"}Q_i=\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\mathbf y))",
        show='explorers.placing(inside="nobody")',
        teaches=("11, section 6", "11_rvm_classification.ipynb#6-Why-relevance-vectors-keep-their-distance"),
        tags=("RVM", "compare"),
    ),
    Card(
        "rvm-ripley",
        question="A paper shows one draw of Ripley's mixture: RVM 4 vectors and 9.3 % errors, SVM 38 and "
        "10.6 %. Sparser and more accurate, it says. What do you believe?",
        answer="The sparsity: over 25 draws, at $C=1$, the medians are 4 vectors for the RVM and 40 for the "
        "SVM. Not the accuracy: the median errors are 10.2 % and 9.6 %, and nobody can err less than 8.93 %. "
        "Both machines saw the same points, so compare draw by draw. The RVM errs less in 3 draws only, and "
        "on average more by 0.57 points, with a standard error of 0.11; with $C$ by cross-validation it errs "
        "less in 4. What the RVM does gain: few vectors, no $C$, probabilities, any number of classes by one "
        "softmax (7.121).",
        formula=r"\bar d=\frac1{25}\sum_{i=1}^{25}d_i,\quad "
        r"d_i=e_i^{\text{RVM}}-e_i^{\text{SVM}}\qquad\text{standard error}=\frac{s_d}{\sqrt{25}}",
        show="explorers.ripley_draws(draw=25)",
        teaches=("11, section 7", "11_rvm_classification.ipynb#7-One-draw-or-many:-Ripley's-mixture"),
        tags=("RVM", "judge"),
    ),
)
