"""Viva cards on support vector machines: notebooks 01 to 06."""

from sparsekm_edu.exercises.viva.card import Card

CARDS = (
    Card(
        "svm-margin",
        question=r"What is the margin of a separating line $y(\mathbf x)=\mathbf w^{\mathsf T}\mathbf x+b=0$? "
        r"Show in three lines how the search for the largest one becomes a quadratic programme.",
        answer=r"The margin is the distance from the line to the closest point. A walk along $\mathbf w$ "
        r"shows that $\mathbf x_n$ is $t_ny(\mathbf x_n)/\lVert\mathbf w\rVert$ away (7.2), so we maximise "
        r"the smallest of these numbers (7.3). A common positive factor in $\mathbf w$ and $b$ changes "
        r"neither line nor distance; choose it such that the closest point has $t_ny(\mathbf x_n)=1$ (7.4). "
        r"Then all points have $t_ny(\mathbf x_n)\ge1$, the margin is $1/\lVert\mathbf w\rVert$, and to make "
        r"it large is to make $\lVert\mathbf w\rVert^2$ small: a bowl under straight constraints (7.6)."
        "\n\n"
        "In the picture your own line has a margin of 0.286, the best one 0.612.",
        formula=r"\min_{\mathbf w,b}\ \tfrac12\lVert\mathbf w\rVert^2\quad\text{subject to}\quad t_n(\mathbf "
        r"w^{\mathsf T}\mathbf x_n+b)\ge1\qquad(7.5,\,7.6)",
        show="explorers.margin()",
        teaches=(
            "01, section 3",
            "01_maximum_margin.ipynb#3-From-the-question-to-a-quadratic-programme:-(7.3)-to-(7.6)-·-core",
        ),
        tags=("SVM", "derive"),
    ),
    Card(
        "svm-dual",
        question="Derive the dual of the maximum margin at the blackboard. Why is it maximised, and where "
        "has $b$ gone?",
        answer=r"Each constraint gets a multiplier $a_n\ge0$ (7.7). Zero slope along $\mathbf w$ gives "
        r"$\mathbf w=\sum_na_nt_n\mathbf x_n$ (7.8). Along $b$ the Lagrangian is linear: unless "
        r"$\sum_na_nt_n=0$ (7.9) it has no minimum, so that becomes a constraint. Put both back, and (7.10) "
        r"remains. Every allowed $\mathbf a$ gives a lower bound on $\tfrac12\lVert\mathbf w\rVert^2$, so we "
        r"want the largest; the problem is convex, and at the best $\mathbf a$ the gap is closed. $b$ follows "
        "from points that touch the street (7.18). Only inner products are left: that is where kernels come "
        "in."
        "\n\n"
        "In the picture the same dual brings points of two hulls together (01, section 8): after two steps "
        "1.2415, in the end 1.2238, the width of the street.",
        formula=r"\widetilde L(\mathbf a)=\sum_na_n-\tfrac12\sum_n\sum_ma_na_mt_nt_m\,k(\mathbf x_n,\mathbf "
        r"x_m),\quad a_n\ge0,\quad\sum_na_nt_n=0\qquad(7.10\text{–}7.12)",
        show="explorers.hulls(steps=2)",
        teaches=(
            "01, section 6",
            "01_maximum_margin.ipynb#6-The-dual-of-the-maximum-margin:-(7.7)-to-(7.12)-·-core",
        ),
        tags=("SVM", "derive"),
    ),
    Card(
        "svm-support-vectors",
        question="What is a support vector machine, and why do only a few data points decide where its "
        "boundary goes?",
        answer="It is a linear classifier in the feature space of a kernel (7.13): the hyperplane whose "
        "closest points are farthest away. Complementary slackness (7.16) says: no touch, no push. A point "
        "beyond the edge of the street has $a_n=0$ and is no term of the sum. Left are the support vectors, "
        "with $a_n>0$: all of them touch the hard margin. (A point may touch and still have $a_n=0$.) Delete "
        "the rest, and the boundary does not move, straight or bent. But sparsity is no law: with kernels "
        "narrow enough every point is a support vector."
        "\n\n"
        "In the picture 13 of 44 points are left.",
        formula=r"a_n\{t_ny(\mathbf x_n)-1\}=0\quad(7.16)\qquad y(\mathbf x)=\sum_na_nt_n\,k(\mathbf x,"
        r"\mathbf x_n)+b\quad(7.13)",
        show="explorers.kernel_margin()",
        teaches=("01, section 7", "01_maximum_margin.ipynb#7-Ten-lines-that-solve-it-·-core"),
        tags=("SVM", "define"),
    ),
    Card(
        "svm-soft",
        question="Formulate the soft margin. What does the slack of a point say about it, and what does $C$ "
        "do?",
        answer=r"A point may fall short of its margin by a slack $\xi_n\ge0$ (7.20), and each unit costs $C$ "
        r"(7.21). At the optimum $\xi_n=\max\{0,1-t_ny(\mathbf x_n)\}$. It is zero on the edge and beyond; up "
        "to one inside the street, on the right side; above one for a point that is misclassified. So slack "
        "is not yet an error. $C$ trades slack against width. A tiny $C$ lets the street swallow everybody, "
        "a huge one brings back the hard margin, if the classes are separable. A larger $C$ does not always "
        "overfit: with wide kernels it may be the cure."
        "\n\n"
        "In the picture 8 points pay, and 3 of them are misclassified.",
        formula=r"\min\ C\sum_n\xi_n+\tfrac12\lVert\mathbf w\rVert^2\quad(7.21)\qquad "
        r"t_ny(\mathbf x_n)\ge1-\xi_n,\quad\xi_n\ge0\quad(7.20)",
        show="explorers.soft_margin(C=1.0)",
        teaches=("02, section 1", "02_soft_margin.ipynb#1-The-price-of-a-place-in-the-street"),
        tags=("SVM", "define"),
    ),
    Card(
        "svm-box",
        question="State the Karush–Kuhn–Tucker conditions of the soft margin and derive its box constraints. "
        "What does a multiplier tell you about its point?",
        answer=r"Two kinds of constraints, two kinds of multipliers: $a_n$ for (7.20), $\mu_n$ for "
        r"$\xi_n\ge0$. Zero slope along $\xi_n$ means $a_n=C-\mu_n$ (7.31). With it all slack cancels, the "
        r"dual is the old one, and $\mu_n\ge0$ leaves a ceiling: $0\le a_n\le C$ (7.33). Now read the "
        "products (7.25) and (7.28). $a_n=0$: no slack, on the edge or beyond. $0<a_n<C$: exactly on the "
        "edge, so these points tell $b$. $a_n=C$: on the edge, inside, or on the wrong side, and it pulls no "
        "harder however deep it lies."
        "\n\n"
        "In the picture these are 11, 3 and 16 points.",
        formula=r"a_n\ge0,\quad t_ny(\mathbf x_n)-1+\xi_n\ge0,\quad a_n\{t_ny(\mathbf x_n)-1+\xi_n\}=0,\quad "
        r"\mu_n\ge0,\quad\xi_n\ge0,\quad\mu_n\xi_n=0\qquad(7.23\text{–}7.28)",
        show="explorers.soft_margin(C=0.1)",
        teaches=("02, section 2", "02_soft_margin.ipynb#2-Every-multiplier-in-its-box"),
        tags=("SVM", "derive"),
    ),
    Card(
        "svm-nu",
        question=r"A colleague trains a $\nu$-SVM with $\nu=0.3$ and says: thirty per cent of my training "
        r"points will be misclassified. What do you answer?",
        answer="Another quantity, and only a bound. No multiplier exceeds $1/N$ (7.39), and at the optimum "
        r"they add up to $\nu$ (7.41). A margin error, a point with $\xi_n>0$, takes a full share, so at most "
        r"$\nu N$ points are margin errors. At least $\nu N$ points must share the sum, so at least so many "
        "are support vectors. And a margin error may be on its right side: it need not be a mistake. All "
        r"this needs a level $\rho>0$ and $\nu\le2\min(N_+,N_-)/N$, and speaks of training points. $\nu$ is "
        r"the knob $C$ on a scale with a meaning, $C=1/(N\rho)$."
        "\n\n"
        "In the picture margin errors are 0.25 of the points, support vectors 0.375, and misclassified "
        "points only 0.05.",
        formula=r"\frac{\text{margin errors}}N\ \le\ \nu\ \le\ \frac{\text{support vectors}}N,\quad 0\le "
        r"a_n\le\tfrac1N,\quad\sum_na_n\ge\nu\quad(7.39,\,7.41)",
        show="explorers.nu_margin(nu=0.3)",
        teaches=("02, section 4", "02_soft_margin.ipynb#4-The-same-knob-with-a-meaning:-nu"),
        tags=("SVM", "judge"),
    ),
    Card(
        "svm-outlier",
        question="One point of class $+1$ lies far behind class $-1$. Compare what it does to a soft margin "
        "and to least squares. And what do unequal prices $C_+$ and $C_-$ do?",
        answer=r"A point pulls with the slope of its loss. For the hinge that is bounded, $a_n\le C$, and "
        r"zero for a point far out on its own side. For least squares it is $1-y(\mathbf x)$. But $\mathbf w$ "
        r"receives $a_nt_n\mathbf x_n$, so a linear machine feels the lever of a point far out. A Gaussian "
        "kernel is bounded and limits the influence. Unequal prices change the ceilings: raise $C_+$, and "
        "the boundary moves into class $-1$; false negatives become false positives. Or move $b$ afterwards."
        "\n\n"
        "In the picture the boundaries have moved by 0.168 and 0.419. Ten times as far out (02, section 7) "
        "the soft margin has turned by 74 degrees, and the outlier lies on its margin.",
        formula=r"\text{pull:}\quad a_n\le C_{\pm}\quad(7.33)\qquad\mathbf w=\sum_na_nt_n\mathbf "
        r"x_n\quad(7.29)\qquad\text{least squares:}\quad 1-t_ny(\mathbf x_n)",
        show="explorers.outlier(C=0.1)",
        teaches=("02, section 7", "02_soft_margin.ipynb#7-One-point-in-the-wrong-place"),
        tags=("SVM", "compare"),
    ),
    Card(
        "svm-solvers",
        question="A general QP solver, chunking, decomposition, SMO: what do they have in common, how do "
        "they differ, and which would you take for 100 000 points?",
        answer="All maximise the same concave dual, and see more or less of it. The general solver wants all "
        r"of $\mathbf K$, for 100 000 points 80 gigabytes, and time like $N^3$. Chunking solves for the "
        "support vectors found so far and the worst violators; all of those must fit. Decomposition keeps a "
        "working set of fixed size. SMO takes the smallest set that can move, two points; each step is a "
        "formula. It costs about $N^2$, where support vectors are a fixed share. I would take one of the "
        r"last two; for a linear kernel descent on (7.44), without any $\mathbf K$."
        "\n\n"
        "In the picture 28 steps of SMO are enough.",
        formula=r"\max_{\mathbf a}\ \sum_na_n-\tfrac12\sum_n\sum_ma_na_mt_nt_m\,k(\mathbf x_n,\mathbf x_m),\quad 0\le "
        r"a_n\le C,\quad\sum_na_nt_n=0\quad(7.32\text{–}7.34)\qquad \mathbf K:\ N^2\times8\text{ bytes}",
        show="explorers.smo_player(step=28)",
        teaches=("03, section 4", "03_training.ipynb#4-Four-solvers,-one-table"),
        tags=("SVM", "compare"),
    ),
    Card(
        "svm-smo",
        question="Do one step of SMO at the blackboard: why two multipliers, where does the step lead, and "
        "where does it stop?",
        answer="One multiplier cannot move, since (7.34) fixes it through the others. Two move along "
        r"$a_it_i+a_jt_j=\text{const}$, a straight line in their box. Along it the dual is a parabola, whose "
        r"top is the formula below, with the errors $E_n=y(\mathbf x_n)-t_n$. If the top lies outside of "
        r"$[0,C]\times[0,C]$, or the denominator is zero and there is no top, stop at the wall. A good pair "
        "is the one that makes up the KKT gap, or the one with the highest top. The dual value rises at "
        "every step; the gap need not fall."
        "\n\n"
        "In the picture $a_i$ goes from 0.155 to its ceiling 2.000, and $a_j$ from 1.845 to 0.000.",
        formula=r"a_j^{\text{new}}=a_j+\frac{t_j\,(E_i-E_j)}{k_{ii}+k_{jj}-2k_{ij}}\quad\text{on}\quad "
        r"a_it_i+a_jt_j=\text{const}\quad(7.34)",
        show="explorers.smo_player(step=5)",
        teaches=("03, section 3", "03_training.ipynb#3-Two-at-a-time:-SMO"),
        tags=("SVM", "derive"),
    ),
    Card(
        "svm-converged",
        question="A report says: fifty values of $C$, fifty trainings, and each time the solver wrote "
        "'converged'. What do you ask, and what would you have done?",
        answer="Converged to which gap, computed by whom? I would compute the KKT gap afresh, in double "
        "precision. LIBSVM keeps kernel values in single precision: with huge multipliers its certificate "
        "can be wrong, because it solved a rounded problem. For comparing solvers this matters. Nor were "
        "fifty trainings needed. Between two events, where a point comes to the margin or leaves it, every "
        r"share $a_n/C$ is a straight line in $\lambda=1/C$. One walk from event to event gives the solution "
        "for all $C$. (At the smallest $C$, if the classes are of equal size, all points are support "
        "vectors, not none.)"
        "\n\n"
        "In the picture the walk has 26 breakpoints. Certificates are taught in 03, section 6.",
        formula=r"\text{KKT gap}=\max_{m}E_m-\min_{n}E_n\quad\le\ \text{tolerance},\quad E_n=y(\mathbf x_n)-t_n,\quad "
        r"\text{over all }m,n\text{ where }a_mt_m\text{ may fall}\quad\text{and }a_nt_n\text{ may rise in the "
        r"box}",
        show="explorers.path(C=1.0)",
        teaches=("03, section 7", "03_training.ipynb#7-All-values-of-C-at-once"),
        tags=("SVM", "judge"),
    ),
    Card(
        "svm-hinge",
        question="Write the SVM as loss plus penalty. How is it related to logistic regression, and where "
        "does the sparsity come from?",
        answer=r"At the optimum the slack is $\max(0,1-t_ny_n)$. Divide (7.21) by $C$, and the constraints "
        r"are gone: hinge loss plus $\lambda\lVert\mathbf w\rVert^2$, $\lambda=1/(2C)$ (7.44). Logistic "
        r"regression has the same form with $\ln(1+e^{-z})$, $z=ty$ (7.48). Both are convex, never rise with "
        "$z$, and grow like $|z|$ on the wrong side. The difference is the flat piece: beyond $z=1$ the "
        "hinge pulls at nothing, hence the zeros. The logistic loss always pulls a little, keeps all points, "
        "and its outputs are log odds. The squared error $(1-z)^2$ turns round at $z=1$ and punishes points "
        "for being too right."
        "\n\n"
        "In the picture the hinge sees 6 of 14 points.",
        formula=r"\sum_n[1-y_nt_n]_++\lambda\lVert\mathbf w\rVert^2\quad(7.44)\qquad "
        r"\sum_n\ln(1+e^{-y_nt_n})+\lambda\lVert\mathbf w\rVert^2\quad(7.47)",
        show='explorers.losses(shown="hinge")',
        teaches=("04, section 1", "04_losses_and_probabilities.ipynb#1-What-does-a-mistake-cost?"),
        tags=("SVM", "compare"),
    ),
    Card(
        "svm-probabilities",
        question="Somebody fits Platt's sigmoid to the training scores of an SVM and calls the result "
        "probabilities. What do you say?",
        answer="Training scores flatter the machine; fit the sigmoid (7.43) to points that it was not "
        "trained on, held out or from folds. A reliability diagram shows it: of the points promised $p$, "
        "does a share $p$ come true? Even then it only stretches and shifts $y$, which is no log odds: where "
        "both classes are equally likely, the expected hinge loss is the same for all $y$ from $-1$ to $1$, "
        "and accidents decide. If only the class is wanted, keep the sign of $y$."
        "\n\n"
        "In the picture the log loss on fresh points is 0.423 for held-out scores and 0.942 for training "
        "scores; always saying one half has 0.693.",
        formula=r"p(t=1\mid\mathbf x)=\sigma\left(A\,y(\mathbf x)+B\right)\qquad(7.43)",
        show="explorers.platt(D=50, held=60)",
        teaches=("04, section 3", "04_losses_and_probabilities.ipynb#3-How-sure?-Platt's-sigmoid"),
        tags=("SVM", "judge"),
    ),
    Card(
        "svm-many-classes",
        question="How do you make a classifier for $K$ classes from machines that know only two? Compare one "
        "versus the rest with one versus one.",
        answer="One versus the rest trains $K$ machines on all points. Their signs leave places that nobody "
        "claims and places that several claim. The largest output (7.49) settles this, though outputs have "
        "no common unit. One versus one trains $K(K-1)/2$ machines on two classes each; they vote, and votes "
        "may tie. In training it is the cheaper one, about $2N^2$ kernel entries against $KN^2$. (PRML says "
        "the opposite: it counts machines, not their points.) In prediction it asks all its machines, more "
        "than $K$ from four classes on, or $K-1$ as a tournament (DAGSVM). Other ways: output codes, joint "
        "machines."
        "\n\n"
        "In the picture, with three classes, nobody claims 5 % of the area, several claim 20 %, and votes "
        "tie on 4 %.",
        formula=r"\text{class}=\arg\max_k\,y_k(\mathbf x)\quad(7.49)\qquad "
        r"\tfrac{K(K-1)}2\left(\frac{2N}K\right)^2\approx2N^2",
        show="explorers.ambiguity()",
        teaches=("05, section 1", "05_many_classes_one_class.ipynb#1-Three-classes,-three-opinions"),
        tags=("SVM", "compare"),
    ),
    Card(
        "svm-one-class",
        question=r"A novelty detector with $\nu=0.2$ and a narrow Gaussian kernel. Its author: at most a "
        r"fifth of all new healthy engines will be called novel. Is that so?",
        answer=r"No. The multipliers add up to one, and none exceeds $1/(\nu N)$. A point outside pays in "
        r"full, so at most a fraction $\nu$ of the training points lies outside; at least a fraction $\nu$ "
        "are support vectors. But this is a promise about the training set. A narrow kernel puts every "
        "training point on an island of its own, and many new points from the same source fall between them. "
        r"With a fixed kernel and many points the fraction outside does tend to $\nu$. Hold points out and "
        r"count. (Plane and sphere draw one boundary where $k(\mathbf x,\mathbf x)$ is constant.)"
        "\n\n"
        "In the picture both halves hold, 0.000 and 0.600; but of 2000 new points from the same source 0.514 "
        "are called novel.",
        formula=r"\frac{\text{training points outside}}N\ \le\ \nu\ \le\ \frac{\text{support vectors}}N,\quad "
        r"0\le a_n\le\frac1{\nu N},\quad\sum_na_n=1",
        show="explorers.one_class(gamma=10.0)",
        teaches=("05, section 6", "05_many_classes_one_class.ipynb#6-One-class"),
        tags=("SVM", "judge"),
    ),
    Card(
        "svm-regression",
        question="Carry the support vector machine over to regression: the loss, the steps to the dual, and "
        "what the two multipliers of a point tell.",
        answer=r"Errors below $\epsilon$ are free (7.51). What sticks out of the tube, $\xi_n$ above and "
        r"$\hat\xi_n$ below, costs $C$ (7.55). Four constraints for each point give four multipliers. Zero "
        r"slopes mean $\mathbf w=\sum_n(a_n-\hat a_n)\phi(\mathbf x_n)$ (7.57), $\sum_n(a_n-\hat a_n)=0$ "
        r"(7.58), $a_n+\mu_n=C$ (7.59), and the same with hats. The slacks and $b$ drop out: maximise (7.61) "
        r"in the box $0\le a_n,\hat a_n\le C$. Strictly inside the tube both vanish, so such points may go. "
        r"Above it $a_n=C$, below it $\hat a_n=C$, on an edge something between; for $\epsilon>0$ never both."
        "\n\n"
        "In the picture 8 of 10 points stay, with least squares all.",
        formula=r"\widetilde L=-\tfrac12\sum_n\sum_m(a_n-\hat a_n)(a_m-\hat a_m)k(\mathbf x_n,\mathbf x_m)"
        r"\quad -\epsilon\sum_n(a_n+\hat a_n)+\sum_n(a_n-\hat a_n)t_n\qquad(7.61)",
        show="explorers.tube()",
        teaches=("06, section 2", "06_regression.ipynb#2-Two-slacks,-four-multipliers:-(7.56)-to-(7.61)"),
        tags=("SVM", "derive"),
    ),
    Card(
        "svm-count",
        question="A paper prints 36 support vectors for the noise-free sinc and a tube of 0.01; your program "
        "finds 34. Who is wrong, and what does the number say?",
        answer="Perhaps nobody. On the paper's interval, $[-10,10]$, the linear spline has negative "
        "eigenvalues: it is no kernel there, and the dual is not concave. We shifted the inputs to $[0,20]$, "
        "where it is one: 34 there, all conditions of the optimum met. Even so it matters when a solver "
        "stops, as many points lie almost on the edge of the tube. So recompute the KKT violation before you "
        "quote a count. And few is not good: too wide a tube has fewest and hides the curve. For a number "
        r"with a meaning choose $\nu$: then $\nu N$ lies between two counts."
        "\n\n"
        "In the picture, on the shifted inputs, there are 34. LIBSVM finds 39 with its usual tolerance and "
        "33 with a strict one, as it rounds the kernel to single precision.",
        formula=r"\text{points outside}\ \le\ \nu N\ \le\ \text{support vectors}\quad(\epsilon>0),\quad "
        r"\sum_n(a_n+\hat a_n)\le\nu C\quad(7.74)",
        show="explorers.sinc_tube(noise=0.0, epsilon=0.01)",
        teaches=("06, section 6", "06_regression.ipynb#6-A-printed-number,-recomputed:-Tipping's-sinc"),
        tags=("SVM", "judge"),
    ),
)
