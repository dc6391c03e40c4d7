"""Viva cards on what stands behind the machines, and on choosing between them: notebooks 04, 07, 08 and 15."""

from sparsekm_edu.exercises.viva.card import Card

CARDS = (
    Card(
        "theory-pac",
        question="What does *probably approximately correct* promise? Which letter belongs to which word, "
        "and what is assumed?",
        answer=r"Approximately correct: the error rate on new points is below $\epsilon$ (7.75). Probably: "
        r"this holds with probability above $1-\delta$ over the choice of the data set, as some mislead. "
        "Assumed is that all points come independently from one distribution, here without noise; nothing "
        "about its shape. For $M$ functions: a bad one is right on all $N$ points with probability at most "
        r"$(1-\epsilon)^N$, so if we choose a function that is right on all, $M(1-\epsilon)^N<\delta$ "
        r"suffices: choice costs only $\ln M$. For infinitely many VC takes over."
        "\n\n"
        r"In the picture, with $N=10$ and $\epsilon=0.1$, 4 of 20 data sets mislead, more than $\delta=0.05$ "
        "allows; the VC bound asks for 506 points. The $M$ functions: 07, section 2.",
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
        answer="Three points not in a row: any of them can be cut off from the other two, and a line beside "
        r"all gives equal labels. Four: $\sum_nc_n\mathbf x_n=\mathbf 0$ and $\sum_nc_n=0$ are three "
        r"equations for four unknowns, so some $\mathbf c\ne\mathbf 0$ solves them. Split the points by the "
        "sign of $c_n$. With weights $|c_n|$ both groups have the same weighted mean, a point of both hulls "
        "(Radon). A line between the groups would have $y>0$ and $y<0$ there. So the VC dimension is three, "
        "in $D$ dimensions $D+1$. In general position Cover's formula counts the labellings (else fewer), a "
        "polynomial in $N$."
        "\n\n"
        "In the picture, for four points, it is 14 of 16.",
        formula=r"\Pi(N)=2\sum_{k=0}^{D}\binom{N-1}k\qquad(\text{Cover})",
        show="explorers.shattering(step=5)",
        teaches=("07, section 3", "07_learning_theory.ipynb#3-How-many-lines-are-there,-really?"),
        tags=("theory", "derive"),
    ),
    Card(
        "theory-leave-one-out",
        question="'Three support vectors of forty points, so my classifier errs at most 7.5 per cent of the "
        "time.' What is right about it, and what do other bounds say?",
        answer="Leave a point out that is no support vector, and nothing changes: it stays right. So the "
        "leave-one-out errors are at most the number of support vectors. But this bounds a *mean* over data "
        "sets; about this classifier it promises nothing. Others do: compression pays for the choice of the "
        "support vectors; VC speaks of all lines and all distributions; PAC-Bayes pays for how far the data "
        "moved us, and is about a random line; or hold half of the points out. Bounds that know nothing of "
        "the distribution are loose. Many support vectors do not prove a bad classifier."
        "\n\n"
        r"In the picture, with $\delta=0.05$: compression 0.349, VC 0.897, PAC-Bayes 0.484, half held out "
        "0.216; the true error is 0.0662.",
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
        answer="Infinite is right: a Gaussian kernel, of any width, fits any labels of distinct points. But "
        r"that counts all functions: hyperplanes that keep a margin $\rho$, fixed beforehand, from points in "
        r"a ball of radius $R$ shatter at most $R^2/\rho^2+1$ of them, in any dimension. For a Gaussian "
        r"kernel $R\le1$, so the squared length of $\mathbf w$ takes the place of the dimension. (For a "
        "margin measured after training take the fat-shattering dimension.) Second argument: put a little "
        "cloud on each point; as the clouds shrink, the line of least error becomes that of maximum margin. "
        "Neither promises the least error on your data."
        "\n\n"
        "The picture shows the second argument (01, section 10): with clouds of variance 0.01 the line is "
        "0.147° from the maximum margin.",
        formula=r"\text{points shattered}\ \le\ "
        r"\min\left(\frac{R^2}{\rho^2},\,D\right)+1\qquad\frac1{\rho^2}=\sum_na_n\quad(7.123)\qquad "
        r"\frac1{\rho^2}=\lVert\mathbf w\rVert^2\quad(7.125)",
        show="explorers.parzen_limit(sigma2=0.01)",
        teaches=("07, section 8", "07_learning_theory.ipynb#8-With-kernels:-margin-instead-of-dimension"),
        tags=("theory", "judge"),
    ),
    Card(
        "theory-no-likelihood",
        question="Is the hinge loss minus a log likelihood in disguise? And how can EM train a support "
        "vector machine all the same?",
        answer="No. If it were, $e^{-Cg(f)}+e^{-Cg(-f)}$, the weight of both labels together, would not "
        r"depend on $f$. With the hinge $g$ it is $2e^{-C}$ at zero, $1+e^{-2C}$ at $f=\pm1$, and tends to "
        r"one far out. No $C$ makes these equal; $C=\ln2$ comes closest. The logistic loss, divided by "
        r"$\ln2$, then gives exactly one everywhere. Without 'sums to one' there is a reading: "
        r"$e^{-2(1-m)_+}$ is a mixture of Gaussians in $m$ with a hidden variance $\lambda_n$ (14.68). EM "
        r"averages $1/\lambda_n$ to $1/|1-m_n|$, then solves weighted least squares. It finds the same "
        "boundary, but no exact zeros."
        "\n\n"
        r"In the picture, at $C=\ln2$, the largest of the sums is 1.25 times the smallest. EM is taught in "
        "04, section 6.",
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
        answer="The gradient of $E/N$ is mistake times feature, averaged. Gradient descent is limited by the "
        "steepest direction of $E/N$ and waits for the flattest. Stochastic descent gains much at first, "
        "then waits for its rate to shrink. Newton divides by the curvature, at the price of a linear "
        "system; far out full steps may leap anywhere. Separable classes have no most likely weights: twice "
        r"any separating $\mathbf w$ fits better. Under gradient descent the length runs away, and the "
        "direction goes to the largest margin through the origin of feature space, the bias counted as a "
        "weight; the SVM leaves $b$ free. A prior ends that."
        "\n\n"
        "In the picture the curvatures of $E/N$ have the ratio 62, and the rate must stay below 3.63.",
        formula=r"\nabla E=\boldsymbol\Phi^{\mathsf T}(\mathbf y-\mathbf t),\qquad \mathbf "
        r"H=\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi,\quad b_n=y_n(1-y_n)\quad(-(7.111)\text{ with "
        r"}\mathbf A=\mathbf 0)\qquad \mathbf w\leftarrow\mathbf w-\tfrac\eta N\nabla E,\quad "
        r"\eta<\frac2{\lambda_{\max}(\mathbf H/N)}",
        show="explorers.descent(step=12)",
        teaches=("08, section 2", "08_bayesian_foundations.ipynb#2-Three-ways-down"),
        tags=("theory", "compare"),
    ),
    Card(
        "theory-laplace",
        question="What is Laplace's approximation, what do you get out of it, and when do you not trust it?",
        answer="Find a mode of the posterior and put a Gaussian of the same curvature there. It gives an "
        r"evidence (7.114), error bars on the log odds, and so averaged probabilities $\sigma(\kappa\mu_a)$, "
        r"less sure than the plug-in $\sigma(\mu_a)$, with the same boundary. It is good for many data and "
        r"one peak; the error of $\ln Z$ then falls like $1/n$. It is blind to other peaks, to edges and to "
        r"tails. With two equal peaks $\ln Z$ stays too small, by $\ln2$ at least, however many the data. And "
        "where a density is greatest at an edge, there is no parabola to fit."
        "\n\n"
        r"In the picture, two equal peaks, $\ln Z$ comes out too small by 0.818.",
        formula=r"Z\approx f(\mathbf w^\ast)\,(2\pi)^{M/2}\,|\mathbf A|^{-1/2}\quad(4.135)\qquad \mathbf "
        r"A=-\nabla\nabla\ln f|_{\mathbf w^\ast}\qquad "
        r"\kappa=\left(1+\tfrac\pi8\sigma_a^2\right)^{-1/2}\quad(4.154)",
        show='explorers.laplace(density="two equal peaks")',
        teaches=("08, section 7", "08_bayesian_foundations.ipynb#7-A-Gaussian-in-the-place-of-a-density"),
        tags=("theory", "define"),
    ),
    Card(
        "theory-bic",
        question="The evidence or BIC: what does each of them charge for one more weight, and which of the "
        "two chooses better?",
        answer="Both take a price off the log likelihood. The evidence, by Laplace, charges what the data "
        r"can tell about a weight: $\ln p(\mathbf w^\ast)+\tfrac M2\ln2\pi-\tfrac12\ln|\mathbf A|$. With many "
        r"data the eigenvalues of $\mathbf A$ grow like $N$; keep that, drop the rest, and it is BIC: "
        r"$\tfrac12\ln N$ a weight, whatever the prior. It may be nats off, but only the order matters. In "
        "the lesson's draws its harsher price is right more often with many labels; with few it stops too "
        "early, which is expensive. Where a firm prior holds the weights, one more costs the evidence next "
        "to nothing, and BIC goes on charging."
        "\n\n"
        "In the picture, with such a prior, the evidence chooses degree 4 and BIC degree 0. The truth is 3; "
        "both curves are poor, 0.230 and 0.299 nats from it.",
        formula=r"\ln p(\mathbf t)\approx\ln p(\mathbf t\mid\mathbf w^\ast)+\ln p(\mathbf w^\ast)+\tfrac "
        r"M2\ln2\pi-\tfrac12\ln|\mathbf A|\quad(7.114)\qquad \text{BIC}=\ln p(\mathbf t\mid\mathbf "
        r"w^\ast)-\tfrac M2\ln N",
        show="explorers.degree(alpha=100.0)",
        teaches=("08, section 9", "08_bayesian_foundations.ipynb#9-How-many-terms?-Evidence-against-BIC"),
        tags=("theory", "compare"),
    ),
    Card(
        "theory-winner",
        question="What exactly does cross-validation estimate? Prove that the best of many scores promises "
        "too much, and name the cure.",
        answer="A fold is new to the machine that it judges, so on average a score is the true error of "
        r"machines trained on $N(F-1)/F$ points; its standard error is roughly $s/\sqrt F$. For the winner "
        r"this is lost: $\min_jS_j\le S_k$ for every $k$, so its expected score is at most the least error of "
        "all, and no winner errs less than that. It won because it is good, or because it was lucky. The "
        "cure: whoever chooses must not judge, as in nested cross-validation."
        "\n\n"
        "In the picture 100 candidates are worth nothing, and over 40 draws the best of them promises 32.5 "
        "%; the truth is 50.0 %. Nested cross-validation says 50.1 %.",
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
        answer="The choice had seen the labels of the folds that judge. Among so many features some agree "
        "with the labels by accident, and so they do in every fold. What learns from data, above all from "
        "labels, belongs inside the fold: a pipeline, whose `fit` prepares and trains. Then the score goes "
        "back to one half. A table: one-hot codes for names, as numbers would invent distances; standardise "
        "what was measured, because a kernel adds squared units; but leave the one-hot columns alone, or "
        "rare names are pushed away. Means and scales leak little; keep them inside all the same.",
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
        "straight line, which underfits. Both large: islands that learn the points by heart. They pull "
        r"together. Expand a wide kernel in $\gamma$: the first order is a linear machine with price $2\gamma "
        r"C$, and the terms that bend the boundary carry $\gamma^2$. So half the $\gamma$ asks for four times "
        r"the $C$: where the boundary must bend, good pairs lie along a valley, $\gamma^2C$ constant, for "
        r"$\gamma$ not too large. (A straight one wants a constant $\gamma C$.) Search both at once, in "
        "logarithms."
        "\n\n"
        r"In the picture $\gamma=C=1$ errs 24.3 %. Move there: $\gamma=0.1$ alone gives 27.4 %, with $C=100$ "
        "as well 24.7 %.",
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
        answer="Cross-validation hides points and asks for errors: a training for every candidate and fold, "
        "noisy scores, no belief in the model. The evidence, how probable the model found the data, uses all "
        "points, needs one fit for each candidate, and sets a precision for every weight. But it judges by "
        "its model, confident even where that is wrong. In 17 of 20 draws of a classification it chose "
        "narrower kernels than the folds, never wider ones; it was better in 8 and worse in 9, with mean "
        "errors of 27.7 % and 27.0 %, for a fifth of the work."
        "\n\n"
        "In the picture nearly every target has its own kernel: against a width of 0.15 the evidence rises "
        "from −3.7876 to −1.9675, and the error from 0.234 to 0.261.",
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
        answer="Ask what is needed. Only the class, and many points: the SVM. It is convex, SMO scales; but "
        r"$C$ and $\gamma$ cost cross-validation, and probabilities need Platt. Few kernels per prediction: "
        "the RVM. Any columns will do, and there is no $C$; but its evidence has several tops, and its bars "
        "shrink far away. Honest uncertainty, up to some thousand points: the Gaussian process. It keeps all "
        "points and costs about $N^3$. Accuracy hardly decides. Over ten draws of a classification their "
        "probabilities lost 0.067, 0.039 and 0.022 nats in the median; with Platt's sigmoid the SVM lost "
        "0.051."
        "\n\n"
        "In the picture they keep 34, 6 and 100 points and miss by 0.0372, 0.0423 and 0.0399.",
        formula=r"\text{SVM:}\ \min\,C\sum_n\xi_n+\tfrac12\lVert\mathbf w\rVert^2\quad(7.21)\qquad\text{RVM:}\ "
        r"\mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf "
        r"T}\quad(7.86)\qquad\text{GP:}\ \mathbf C=\beta^{-1}\mathbf I+\mathbf K",
        show='explorers.four_curves(machine="GP")',
        teaches=("13, section 8", "13_kernel_machines.ipynb#8-The-comparison,-measured-·-core"),
        tags=("theory", "compare"),
    ),
)
