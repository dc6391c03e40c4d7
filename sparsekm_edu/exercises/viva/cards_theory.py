"""Viva cards on what stands behind the machines, and on choosing between them: notebooks 04, 07, 08 and 15."""

from sparsekm_edu.exercises.viva.card import Card

CARDS = (
    Card(
        "theory-pac",
        question="What does *probably approximately correct* promise? Which letter belongs to which word, "
        "and what is assumed?",
        answer=r"Approximately correct: the error rate on new points is below $\epsilon$ (7.75). Probably: this "
        r"holds with probability above $1-\delta$ over the choice of the data set, as some mislead. Assumed "
        r"is that all points come independently from one distribution, here without noise; nothing about its "
        r"shape. For $M$ functions: a bad one is right on all $N$ points with probability below "
        r"$(1-\epsilon)^N$, so if we choose a function that is right on all, $M(1-\epsilon)^N\le\delta$ "
        r"suffices: choice costs only $\ln M$. For infinitely many VC takes over. In the picture, with $N=10$ "
        r"and $\epsilon=0.1$, 4 of 20 data sets mislead, more than $\delta=0.05$ allows; the VC bound asks "
        r"for 506 points.",
        formula=r"\mathbb E_{\mathbf x,t}\left[I(f(\mathbf x;\mathcal D)\ne t)\right]<\epsilon\quad(7.75)\qquad "
        r"P_{\mathcal D}\left((7.75)\text{ holds}\right)>1-\delta",
        show="explorers.bounds(N=10)",
        teaches=("07, section 1", "07_learning_theory.ipynb#1-A-promise-about-points-we-have-not-seen"),
        tags=("theory", "define"),
    ),
    Card(
        "theory-shatter",
        question="Prove that straight lines shatter three points of the plane but never four. How many "
        "labellings of $N$ points can they do?",
        answer=r"Three points that are not in a row: any of them can be cut off from the other two, and a line "
        r"beside all gives equal labels. Four: $\sum_nc_n\mathbf x_n=\mathbf 0$ and $\sum_nc_n=0$ are three "
        r"equations for four unknowns, so some $\mathbf c\ne\mathbf 0$ solves them. Split the points by the "
        r"sign of $c_n$. With weights $|c_n|$ both groups have the same weighted mean, a point of both hulls "
        r"(Radon). A line between the groups would have $y>0$ and $y<0$ there. So the VC dimension is three, "
        r"in $D$ dimensions $D+1$. In general position Cover's formula counts the labellings (else fewer): 14 "
        r"of 16 for four points, as in the picture; polynomial in $N$.",
        formula=r"\Pi(N)=2\sum_{k=0}^{D}\binom{N-1}k\qquad(\text{Cover})",
        show="explorers.shattering(step=5)",
        teaches=("07, section 3", "07_learning_theory.ipynb#3-How-many-lines-are-there,-really?"),
        tags=("theory", "derive"),
    ),
    Card(
        "theory-leave-one-out",
        question="'Three support vectors of forty points, so my classifier errs at most 7.5 per cent of the "
        "time.' What is right about it, and what do other bounds say?",
        answer=r"Leave a point out that is no support vector, and nothing changes: it stays right. So the "
        r"leave-one-out errors are at most the number of support vectors. But this bounds a *mean* over data "
        r"sets; about this classifier it promises nothing. With $\delta=0.05$ the picture says: compression, "
        r"which pays for the choice of the support vectors, 0.349; VC, for all lines and all distributions, "
        r"0.897; PAC-Bayes, for how far the data moved us and about a random line, 0.484; half of the points "
        r"held out, 0.216. The true error is 0.0662. Bounds that know nothing of the distribution are loose. "
        r"Many support vectors do not prove a bad classifier.",
        formula=r"\mathbb E\left[\text{error after }N-1\text{ points}\right]\quad\le\ \frac{\mathbb "
        r"E[\text{support vectors on }N\text{ points}]}N",
        show="explorers.bounds(N=40)",
        teaches=("07, section 6", "07_learning_theory.ipynb#6-Sparsity-is-worth-money"),
        tags=("theory", "judge"),
    ),
    Card(
        "theory-wide-street",
        question="'The widest street is a matter of taste. With a Gaussian kernel the VC dimension is infinite, so no "
        "theory speaks for it.' What do you say?",
        answer=r"Infinite is right: narrow Gaussians fit any labels of distinct points. But that counts all "
        r"functions. Hyperplanes that keep a margin $\rho$ from points in a ball of radius $R$ shatter at "
        r"most $R^2/\rho^2+1$ of them, in any number of dimensions. For a Gaussian kernel $R\le1$, so the "
        r"squared length of $\mathbf w$ takes the place of the dimension. In the lesson's example it is 17.0: "
        r"at most 18 points. A second argument: put a little cloud on each point and take the line of least "
        r"error. With clouds of variance 0.01, in the picture, it is 0.147° from the maximum margin. Neither "
        r"promises the least error on your data.",
        formula=r"\text{points shattered}\ \le\ "
        r"\min\left(\frac{R^2}{\rho^2},\,D\right)+1\qquad\frac1{\rho^2}=\lVert\mathbf "
        r"w\rVert^2=\sum_na_n\quad(7.123)",
        show="explorers.parzen_limit(sigma2=0.01)",
        teaches=("07, section 8", "07_learning_theory.ipynb#8-With-kernels:-margin-instead-of-dimension"),
        tags=("theory", "judge"),
    ),
    Card(
        "theory-no-likelihood",
        question="Is the hinge loss minus a log likelihood in disguise? And how can EM train a support "
        "vector machine all the same?",
        answer=r"No. If it were, $e^{-Cg(f)}+e^{-Cg(-f)}$, the weight of both labels together, would not "
        r"depend on $f$. With the hinge $g$ it is $2e^{-C}$ at zero, $1+e^{-2C}$ at $f=\pm1$, and tends to "
        r"one far out. No $C$ makes these equal; at best, for $C=\ln2$, the largest is 1.25 times the "
        r"smallest. The logistic loss, divided by $\ln2$, then gives exactly one everywhere. Without 'sums to "
        r"one' there is a reading: $e^{-2(1-m)_+}$ is a mixture of Gaussians in $m$ with a hidden variance "
        r"$\lambda_n$ (14.68). EM averages $1/\lambda_n$ to $1/|1-m_n|$, then solves weighted least squares. "
        r"It finds the same boundary, but no exact zeros.",
        formula=r"e^{-Cg(f)}+e^{-Cg(-f)}=\text{const}?\quad "
        r"e^{-2(1-m)_+}=\int_0^\infty\frac1{\sqrt{2\pi\lambda}}\exp\left(-\frac{(1+\lambda-m)^2}{2\lambda}\right)d\lambda"
        r"\quad(14.68)",
        show="explorers.no_likelihood()",
        teaches=(
            "04, section 5",
            "04_losses_and_probabilities.ipynb#5-Could-the-hinge-be-a-likelihood-in-disguise?",
        ),
        tags=("theory", "derive"),
    ),
    Card(
        "theory-descent",
        question="Logistic regression by gradient descent, stochastic descent, Newton: what slows each of "
        "them down? And what happens if the classes are separable?",
        answer=r"The gradient is mistake times feature, summed. Gradient descent is limited by the steepest "
        r"direction and waits for the flattest: in the picture their curvatures have the ratio 62, and the "
        r"rate must stay below 3.63. Stochastic descent gains much at first, then waits for its rate to "
        r"shrink. Newton divides by the curvature, which is least squares with new weights in each step; it "
        r"costs a linear system, and far out full steps may leap anywhere. Separable classes have no most "
        r"likely weights: twice the $\mathbf w$ always fits better, and its length runs away; under gradient "
        r"descent its direction goes to the maximum margin. A prior, $\tfrac\alpha2\lVert\mathbf w\rVert^2$, "
        r"ends that.",
        formula=r"\nabla E=\boldsymbol\Phi^{\mathsf T}(\mathbf y-\mathbf t),\qquad \mathbf H=\boldsymbol\Phi^{\mathsf "
        r"T}\mathbf B\boldsymbol\Phi,\quad b_n=y_n(1-y_n)\quad(-(7.111)\text{ with }\mathbf A=\mathbf "
        r"0)\qquad \eta<\frac2{\lambda_{\max}}",
        show="explorers.descent(step=12)",
        teaches=("08, section 2", "08_bayesian_foundations.ipynb#2-Three-ways-down"),
        tags=("theory", "compare"),
    ),
    Card(
        "theory-laplace",
        question="What is Laplace's approximation, what do you get out of it, and when do you not trust it?",
        answer=r"Find a mode of the posterior and put a Gaussian of the same curvature there. It gives an "
        r"evidence (7.114), error bars on the log odds, and so averaged probabilities $\sigma(\kappa\mu_a)$, "
        r"less sure than the plug-in $\sigma(\mu_a)$, with the same boundary. It is good for many data and "
        r"one peak; the error of $\ln Z$ then falls like $1/n$. It is blind to other peaks, to edges and to "
        r"tails. In the picture, two equal peaks, $\ln Z$ comes out too small by 0.818, and no amount of data "
        r"brings it closer than $\ln2$. And where a density is greatest at an edge, there is no parabola to "
        r"fit.",
        formula=r"Z\approx f(\mathbf w^\ast)\,(2\pi)^{M/2}\,|\mathbf A|^{-1/2},\quad"
        r"\mathbf A=-\nabla\nabla\ln f|_{\mathbf w^\ast}\quad \kappa=\left(1+"
        r"\tfrac\pi8\sigma_a^2\right)^{-1/2}\quad(4.154)",
        show='explorers.laplace(density="two equal peaks")',
        teaches=("08, section 7", "08_bayesian_foundations.ipynb#7-A-Gaussian-in-the-place-of-a-density"),
        tags=("theory", "define"),
    ),
    Card(
        "theory-winner",
        question="What exactly does cross-validation estimate? Prove that the best of many scores promises "
        "too much, and name the cure.",
        answer=r"A fold is new to the machine that it judges, so on average a score is the true error of "
        r"machines trained on $N(F-1)/F$ points; its standard error is roughly $s/\sqrt F$. For the winner "
        r"this is lost: $\min_jS_j\le S_k$ for every $k$, so its expected score is at most the least error of "
        r"all, and no winner errs less than that. It won because it is good, or because it was lucky. In the "
        r"picture 100 candidates are worth nothing, and over 40 draws the best of them promises 32.5 %; the "
        r"truth is 50.0 %. The cure: whoever chooses must not judge. Nested cross-validation says 50.1 %.",
        formula=r"\mathbb E\left[\min_jS_j\right]\ \le\ \min_ke_k\ \le\ \mathbb "
        r"E\left[e_{\text{winner}}\right]",
        show="explorers.optimism(candidates=100)",
        teaches=(
            "15, section 4",
            "15_choosing_hyperparameters.ipynb#4-The-winner's-score-is-too-good-·-core",
        ),
        tags=("theory", "derive"),
    ),
    Card(
        "theory-prepare",
        question="Somebody has 40 patients with 2000 features, picks the 20 best, then cross-validates an SVM on "
        "them: 94 % right. The labels were tossed by a coin. What went wrong, and how do you prepare a table?",
        answer="The choice had seen the labels of the folds that judge. Among so many features and so few patients "
        "some agree with the labels by accident, and the accident is there again in every fold. What learns "
        "from data, above all from labels, belongs inside the fold: a pipeline, whose `fit` prepares and "
        "trains. Then the score goes back to one half. A table: one-hot codes for names, because numbers "
        "would invent distances between them; standardise what was measured, because a kernel adds squared "
        "units; but leave the one-hot columns alone, or rare names are pushed away. Means and scales leak "
        "little; keep them inside all the same.",
        formula=r"x_{nj}\leftarrow\frac{x_{nj}-\bar x_j}{s_j},\quad\bar x_j,\,s_j\ \text{of the training "
        r"folds},\qquad \lVert\mathbf x-\mathbf x'\rVert^2=\sum_j(x_j-x_j')^2",
        show="",
        teaches=("15, section 5", "15_choosing_hyperparameters.ipynb#5-Prepare-first,-but-inside-·-core"),
        tags=("theory", "judge"),
    ),
    Card(
        "theory-dials",
        question=r"What do $C$ and $\gamma$ of a Gaussian SVM do? Why not tune one after the other, and where do good "
        r"pairs lie?",
        answer=r"$C$ is the price of slack, $\gamma$ says how near a neighbour must be. Both small: nearly a "
        r"straight line, which underfits. Both large: islands that learn the points by heart. They pull "
        r"together. Expand a wide kernel in $\gamma$: the first order is a linear machine with price $2\gamma "
        r"C$, and the terms that bend the boundary carry $\gamma^2$. So half the $\gamma$ asks for four times "
        r"the $C$: good pairs lie along a valley, $\gamma^2C$ constant, for $\gamma$ not too large. In the "
        r"picture $\gamma=C=1$ errs 24.3 %. With $\gamma=0.1$ alone it becomes 27.4 %, with $C=100$ as well "
        r"24.7 %. Search both at once, in logarithms.",
        formula=r"k\approx1-\gamma d^2+\tfrac12\gamma^2d^4,\quad d=\lVert\mathbf x-\mathbf x_n\rVert\qquad y(\mathbf "
        r"x)\approx2\gamma\,\mathbf x^{\mathsf T}\sum_na_nt_n\mathbf x_n+\text{const},\quad \text{as "
        r"}\sum_na_nt_n=0\quad(7.34)",
        show="explorers.cv_surface(C=1.0, gamma=1.0)",
        teaches=("15, section 2", "15_choosing_hyperparameters.ipynb#2-The-surface-·-core"),
        tags=("theory", "define"),
    ),
    Card(
        "theory-evidence",
        question="Evidence or cross-validation: how does each of them choose, what does it cost, and when "
        "does it mislead?",
        answer="Cross-validation hides points and asks for errors: a training for every candidate and fold, no "
        "belief in the model, noisy scores. The evidence, how probable the model found the data, uses all "
        "points, needs one fit for each candidate, and sets a precision for every weight. But it judges by "
        "its own model, confident even where that is wrong. In the picture nearly every target has its own "
        "kernel: the evidence rises from −3.7876 to −1.9675, and the error from 0.234 to 0.261. In 17 of 20 "
        "draws of a classification it chose narrower kernels than the folds, never wider ones, and erred "
        "27.7 % against 27.0 %.",
        formula=r"\hat E=\frac1F\sum_{f=1}^Fe_f\qquad\text{against}\qquad "
        r"\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)\quad(7.85)",
        show="explorers.rvm_regression(width=0.054)",
        teaches=("15, section 7", "15_choosing_hyperparameters.ipynb#7-Without-folds:-the-evidence-·-deeper"),
        tags=("theory", "compare"),
    ),
    Card(
        "theory-which",
        question="A new problem: support vector machine, relevance vector machine or Gaussian process? Which would "
        "you take, and why?",
        answer=r"Ask what is needed. Only the class, and many points: the SVM. It is convex, SMO scales; but $C$ and "
        r"$\gamma$ cost cross-validation, and probabilities need Platt. Few kernels per prediction: the RVM. "
        r"Any columns will do, and there is no $C$; but its evidence has several tops, and its bars shrink "
        r"far away. Honest uncertainty, up to some thousand points: the Gaussian process. It keeps all points "
        r"and costs about $N^3$. In the picture they keep 34, 6 and 100 points and miss by 0.0372, 0.0423 and "
        r"0.0399: accuracy hardly decides. Over ten draws of a classification their probabilities (the SVM's "
        r"without Platt) lost 0.067, 0.039 and 0.022 nats.",
        formula=r"\text{SVM:}\ \min\,C\sum_n\xi_n+\tfrac12\lVert\mathbf w\rVert^2\quad(7.21)\qquad\text{RVM:}\ "
        r"\mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf "
        r"T}\quad(7.86)\qquad\text{GP:}\ \mathbf C=\beta^{-1}\mathbf I+\mathbf K",
        show='explorers.four_curves(machine="GP")',
        teaches=("13, section 8", "13_kernel_machines.ipynb#8-The-comparison,-measured-·-core"),
        tags=("theory", "compare"),
    ),
)
