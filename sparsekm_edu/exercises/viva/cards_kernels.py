"""Viva cards on kernels, what is built on them, and windows: notebooks 02, 12 to 14 and 16."""

from sparsekm_edu.exercises.viva.card import Card

CARDS = (
    Card(
        "kernel-mercer",
        question="When is a similarity $k(x,x')$ an inner product? How do you prove it, how do you refute "
        "it, and who needs it?",
        answer="Exactly if it is symmetric and no Gram matrix, on any inputs, has a negative eigenvalue. "
        r"With features $\mathbf v^{\mathsf T}\mathbf K\mathbf v$ is a squared length; conversely "
        "eigenvectors give features for the inputs at hand (14.12), and Mercer's theorem for all. To prove "
        "it, write down features, or build $k$ from others: sums and products of Mercer kernels are Mercer "
        r"kernels. To refute it, show one witness $\mathbf v$ with $\mathbf v^{\mathsf T}\mathbf K\mathbf "
        "v<0$. A thousand matrices without one prove nothing. An SVM wants it: its dual is then concave "
        "(with a bias, less suffices). An RVM does not: columns are just features."
        "\n\n"
        r"In the picture, for the sigmoid, $\mathbf v^{\mathsf T}\mathbf K\mathbf v$ is −9.67.",
        formula=r"\mathbf v^{\mathsf T}\mathbf K\mathbf v=\left\lVert\sum_iv_i\,\phi(x_i)\right\rVert^2\ge0\qquad "
        r"\mathbf K=(\mathbf U\boldsymbol\Lambda^{1/2})(\mathbf U\boldsymbol\Lambda^{1/2})^{\mathsf "
        r"T}\quad(14.10\text{–}14.12)",
        show='explorers.kernel_lab(kernel="sigmoid")',
        teaches=("12, section 2", "12_kernels.ipynb#2-When-is-it-an-inner-product?-·-core"),
        tags=("kernels", "define"),
    ),
    Card(
        "kernel-polynomial",
        question=r"Which kernels does an SVM usually get? Write out the features of "
        r"$(1+\mathbf x^{\mathsf T}\mathbf z)^2$ in the plane. Do they fill six dimensions?",
        answer=r"The linear one, $\mathbf x^{\mathsf T}\mathbf z$; the polynomial, $(r+\mathbf x^{\mathsf T}\mathbf "
        r"z)^M$, with all products of up to $M$ coordinates; the Gaussian, $e^{-\gamma\lVert\mathbf x-\mathbf "
        r"z\rVert^2}$, with infinitely many features. A large $\gamma$ makes islands, a tiny one nearly a "
        r"linear machine. Multiply $(1+x_1z_1+x_2z_2)^2$ out: it is an inner product of the features below. "
        r"All images together span 6 dimensions, but two numbers determine them, so they lie on a bent sheet "
        r"with 2 directions at every point. A flat cut through the sheet is a conic in the plane. The data "
        r"keep their own dimension $D$; a kernel does not escape the curse in $D$.",
        formula=r"\phi(\mathbf x)=(1,\ \sqrt2x_1,\ \sqrt2x_2,\ x_1^2,\ \sqrt2x_1x_2,\ "
        r"x_2^2)^{\mathsf T}\qquad(7.42)",
        show="explorers.feature_map(azimuth=-105.0)",
        teaches=("02, section 8", "02_soft_margin.ipynb#8-Six-features,-two-dimensions"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-strings",
        question="Define a kernel for strings, prove that it is one, and compute a small case. What do "
        "machines trained on strings keep?",
        answer=r"Let $\phi_s(x)$ count how often the string $s$ stands in $x$, and add the products of counts "
        r"with weights $w_s\ge0$ (14.22). It is the inner product of $\sqrt{w_s}\,\phi_s$, hence Mercer. With "
        "$w_s=1$ for pieces of $k$ letters, else $0$, it is the $k$-spectrum kernel. For abracadabra and "
        "abrazadabra, $k=2$: ab, br and ra stand twice in both, ad and da once, so it is 14, and the cosine "
        "is 0.875. Documents work alike, with words weighed by rarity; for sets the pyramid takes the "
        "smaller of two counts in each bin. Machines keep support or relevance strings, which one can read.",
        formula=r"\kappa(x,x')=\sum_sw_s\,\phi_s(x)\,\phi_s(x'),\qquad w_s\ge0\qquad(14.22)",
        show='explorers.string_match(x="abracadabra", other="abrazadabra", k=2, lit="ab")',
        teaches=("12, section 5", "12_kernels.ipynb#5-Strings-·-core"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-models",
        question="You have a probability model of your inputs. Name two ways to make a kernel of it, say why "
        "both are Mercer's, and compute an example of each.",
        answer=r"First: a density around each input, and the overlap of two, to the power $\rho$ (14.23): an "
        r"inner product of two functions, hence Mercer. For Gaussians of width $\sigma$ complete the square "
        r"around the middle of $\mathbf x$ and $\mathbf x'$: up to a constant a Gaussian kernel is left, with "
        r"$\gamma=\rho/(4\sigma^2)$. Second: one model of all inputs. The score (14.26) says where an input "
        r"would move $\hat{\boldsymbol\theta}$; the Fisher kernel (14.25) multiplies two scores, with "
        r"$\mathbf F^{-1}$ between them. $\mathbf F$ is their covariance, so this is an inner product, too. "
        r"For the mean of a Gaussian it is the linear kernel of centred points, over $\sigma^2$."
        "\n\n"
        r"In the picture, with $\rho=1$, the points are 1.40 apart and the overlap is 0.148.",
        formula=r"k(\mathbf x,\mathbf x')=\int p(\mathbf u|\mathbf x)^\rho\,p(\mathbf u|\mathbf "
        r"x')^\rho\,d\mathbf u\quad(14.23)\qquad k(\mathbf x,\mathbf x')=\mathbf g(\mathbf x)^{\mathsf "
        r"T}\mathbf F^{-1}\mathbf g(\mathbf x')\quad(14.25)\qquad \mathbf g(\mathbf "
        r"x)=\nabla_{\boldsymbol\theta}\log p(\mathbf "
        r"x|\boldsymbol\theta)\big|_{\hat{\boldsymbol\theta}}\quad(14.26)",
        show="explorers.overlap()",
        teaches=("12, section 7", "12_kernels.ipynb#7-Kernels-from-models-·-deeper"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-prototypes",
        question="'Xor cannot be learned from polynomial features, not even of degree ten; four Gaussian "
        "bumps do it.' What do you say?",
        answer="It depends on which polynomials. Powers of each coordinate make an additive model, "
        "$y=g(x_1)+h(x_2)$. Then the identity below holds, while xor wants one side negative and the other "
        "positive: no degree helps. All monomials include $x_1x_2$, and degree 2 is enough. Bumps on 4 "
        "prototypes do it, too (14.28): any kernel makes features, Mercer's or not. They may stand on every "
        "point (14.29). Narrow bumps follow the noise. Wide ones are not too poor but too expensive: they "
        "look alike and need huge weights."
        "\n\n"
        "In the picture's readout both sums are −1.42 (the equal dashed means), and 29 of 80 points are "
        "wrong.",
        formula=r"y=g(x_1)+h(x_2)\quad \Rightarrow\quad y(0,0)+y(1,1)=y(0,1)+y(1,0)\qquad "
        r"\boldsymbol\phi(\mathbf x)=\left(k(\mathbf x,\boldsymbol\mu_1),\dots,k(\mathbf "
        r"x,\boldsymbol\mu_K)\right)\quad(14.28)",
        show='explorers.prototypes(features="powers of each coordinate")',
        teaches=("13, section 2", "13_kernel_machines.ipynb#2-Xor-·-core"),
        tags=("kernels", "judge"),
    ),
    Card(
        "kernel-zeros",
        question="L2VM, L1VM, SVM, RVM on the same kernel: who has weights that are exactly zero, and why? "
        "Is sparser better?",
        answer="The L2VM has none: its penalty is smooth at zero. The L1VM has a kink there, which holds a "
        r"weight while the pull $|G_n|$ is at most $\lambda$. The loss of the SVM is flat beyond the margin "
        r"or inside the tube. The RVM sends $\alpha_n$ to infinity where $q_n^2\le s_n$. Sparse is no synonym "
        "for good, and the order depends on width and price. All but the RVM are convex, the SVM if its "
        "kernel is Mercer's."
        "\n\n"
        "In the picture they keep 100, 7, 34 and 6 points, with errors of 0.0341, 0.0440, 0.0372 and 0.0423: "
        "the one that keeps all is closest.",
        formula=r"w_n=0\ \text{and}\ |G_n|\le\lambda,\quad \text{or}\qquad w_n\ne0\ \text{and}\ "
        r"-G_n=\lambda\,\operatorname{sign}(w_n),\qquad G_n=\frac{\partial E}{\partial w_n}",
        show='explorers.four_curves(machine="RVM")',
        teaches=("13, section 5", "13_kernel_machines.ipynb#5-Where-the-zeros-come-from-·-core"),
        tags=("kernels", "compare"),
    ),
    Card(
        "kernel-trick",
        question="What is the kernel trick? Which algorithms can be kernelised, which cannot, and what do "
        "you look at first?",
        answer="If an algorithm asks its data for nothing but inner products, put a Mercer kernel in their "
        "place: it then runs in the feature space of the kernel, and no feature is ever computed. Distances "
        "follow by (14.30). So nearest neighbours, medoids, K-means, ridge regression, principal components "
        "and support vector machines can be kernelised. The lasso and trees cannot: they look at single "
        r"features. Look at $\kappa(x,x)$ first: in (14.30) a long string has a large $\kappa(x,x)$, so it is "
        "far from everybody, and short strings become everybody's neighbours. The cure is to give all "
        "features length one."
        "\n\n"
        "In the picture the plain spectrum kernel takes the shortest strings for everybody's neighbours, and "
        "21 of 120 are of the wrong family; normalised, 13.",
        formula=r"\lVert\phi(x)-\phi(x')\rVert^2=\kappa(x,x)+\kappa(x',x')-2\,\kappa(x,x')\qquad(14.30)",
        show="explorers.neighbours()",
        teaches=("14, section 1", "14_the_kernel_trick.ipynb#1-Only-inner-products-·-core"),
        tags=("kernels", "define"),
    ),
    Card(
        "kernel-ridge",
        question="Derive ridge regression in its two forms. When is the dual cheaper, and how do you leave "
        "out every point without a new fit?",
        answer=r"Set the gradient of (14.33) to zero. Collect $\mathbf w$: $D$ equations (14.34). Or read it "
        r"as $\lambda\mathbf w=\mathbf X^{\mathsf T}(\mathbf y-\mathbf X\mathbf w)$: so $\mathbf w=\mathbf "
        r"X^{\mathsf T}\boldsymbol\alpha$ (14.37) with $\lambda\boldsymbol\alpha=\mathbf y-\mathbf X\mathbf "
        r"w$. Put one into the other: $(\mathbf K+\lambda\mathbf I)\boldsymbol\alpha=\mathbf y$, $N$ "
        "equations (14.36). The dual is cheaper for $D>N$, and the only way for infinitely many features; "
        r"but hardly any $\alpha_n$ is zero, and all points are kept. Left out, point $n$ is missed by "
        r"$\alpha_n/Q_{nn}$, never by less than the residual $\lambda\alpha_n$ in size. One inverse gives all "
        "$N$ errors."
        "\n\n"
        "In the picture the error is 0.158 left out, and 0.115 at the points, which always flatters.",
        formula=r"(\mathbf X^{\mathsf T}\mathbf X+\lambda\mathbf I)\mathbf w=\mathbf X^{\mathsf T}\mathbf y"
        r"\quad(14.34)\qquad y_n-p_n=\frac{\alpha_n}{Q_{nn}},\quad\mathbf Q=(\mathbf K+\lambda"
        r"\mathbf I)^{-1},\ \boldsymbol\alpha=\mathbf Q\mathbf y",
        show="explorers.ridge(lam=0.22)",
        teaches=("14, section 3", "14_the_kernel_trick.ipynb#3-Ridge-regression,-twice-·-core"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-pca",
        question="Derive kernel PCA: directions, the projection of a new point, centring. Which mistake is "
        "easily made with new points?",
        answer=r"Let $\mathbf u$ have length one and $\mathbf X\mathbf X^{\mathsf T}\mathbf u=\lambda\mathbf "
        r"u$. Multiply by $\mathbf X^{\mathsf T}$: $\mathbf X^{\mathsf T}\mathbf u$ is an eigenvector of "
        r"$\mathbf X^{\mathsf T}\mathbf X$ (14.39), of squared length $\lambda$; $\mathbf v=\mathbf "
        r"X^{\mathsf T}\mathbf u/\sqrt\lambda$ has length one. So a new point projects to (14.40), and only "
        r"kernels are needed. The features must have mean zero: centre $\mathbf K$ (14.44), which leaves at "
        "most $N-1$ components. New points lose the *training* mean, as below; a single one that loses its "
        "own lands at zero. Back from feature space there is mostly no exact pre-image, only a nearest one."
        "\n\n"
        "In the picture two components hold 33.7 % and 31.6 % of the variance and tell the clusters apart.",
        formula=r"\mathbf x_*^{\mathsf T}\mathbf v=\frac{\mathbf k_*^{\mathsf T}\mathbf "
        r"u}{\sqrt\lambda}\quad(14.40)\qquad \tilde{\mathbf K}=\mathbf H\mathbf K\mathbf H,\quad\mathbf "
        r"H=\mathbf I-\tfrac1N\mathbf 1\mathbf 1^{\mathsf T}\quad(14.44)\qquad \tilde{\mathbf k}_*=\mathbf "
        r"H\left(\mathbf k_*-\tfrac1N\mathbf K\mathbf 1\right)",
        show="explorers.kernel_components()",
        teaches=("14, section 4", "14_the_kernel_trick.ipynb#4-Kernel-PCA-·-core"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-window",
        question="'A Gaussian kernel of width 15 is a Gaussian kernel of width 15, in kernel ridge "
        "regression and in Nadaraya–Watson.' What do you say?",
        answer="One word, two ideas. A smoothing kernel is a window, a function of one number with area one "
        "and mean zero (14.69). It weighs points and need not be an inner product: the boxcar is none. A "
        "Mercer kernel must be one. The Gaussian is both, but its width means different things. A window of "
        "15 says whom to ask; a Mercer kernel of 15 says how smooth the function is. Ridge weights may be "
        "negative and need not sum to one."
        "\n\n"
        "In the picture, left panel, the window of 15 averages the wave away: 0.495 off the truth. Ridge "
        r"with $\lambda=0.1$, not drawn, is 0.129 off (table in 16, section 8).",
        formula=r"\int\kappa(x)\,dx=1,\quad\int x\,\kappa(x)\,dx=0,\quad\int x^2\kappa(x)\,dx>0\quad(14.69)",
        show="explorers.local_fit(place=50.0, h=15.0)",
        teaches=("16, section 8", "16_smoothing_kernels.ipynb#8-Two-meanings-of-*kernel*-·-deeper"),
        tags=("kernels", "judge"),
    ),
    Card(
        "kernel-bumps",
        question="Begin with a bump on every point. Derive kernel regression. Then let a ball grow instead of a bump, "
        "and derive the nearest-neighbour rule.",
        answer="The mean of all bumps estimates a density (14.78). Put bumps on the points $(x_i,y_i)$ and "
        r"ask for $\mathbb E[y|x]=\int y\,p(x,y)\,dy\,/\,p(x)$: the integral over $y$ turns each bump into "
        "$y_i$, because its mean is zero, and a weighted mean remains (14.85). Now let a ball around $x$ "
        "grow until it holds $K$ points, $N_c(x)$ of class $c$. Then $p(x|c)=N_c(x)/(N_cV)$ and "
        "$p(c)=N_c/N$; in Bayes' theorem $N_c$, $V$ and $N$ cancel, and $N_c(x)/K$ is left (14.81). With a "
        "growing ball $p(x|c)$ is no density any more."
        "\n\n"
        "In the picture the ball holds 1, 4 and 2 points of the classes: 0.14, 0.57 and 0.29.",
        formula=r"\hat f(x)=\frac{\sum_i\kappa_h(x-x_i)\,y_i}{\sum_i\kappa_h(x-x_i)}\quad(14.85)\qquad p(c\mid "
        r"x)=\frac{N_c(x)}K\quad(14.81)",
        show="explorers.growing_volume()",
        teaches=("16, section 3", "16_smoothing_kernels.ipynb#3-From-bumps-to-neighbours-·-core"),
        tags=("kernels", "derive"),
    ),
    Card(
        "kernel-line",
        question="A constant or a line in the window: what does the line gain, what does it cost, and how do "
        "you choose the bandwidth?",
        answer="The average is off by about the slope times the distance of the neighbours' mean from $x_*$, "
        "and at an end of the data all neighbours stand on one side. Weighted least squares with a line "
        r"(14.95) has weights with $\sum_iw_i=1$ and $\sum_iw_i(x_i-x_*)=0$: straight lines come back "
        "exactly, at the ends by negative weights. It pays with variance there. A narrow window has "
        "variance, a wide one bias. Leave-one-out chooses between them, without a new fit and, unlike the "
        "rule of thumb, whatever the units of $y$. The line may be wider, as it is less biased."
        "\n\n"
        "In the picture the weights go down to −0.031, and the best bandwidths are about 3.0 for the "
        "constant and 3.8 for the line. Bias against variance: 16, section 6.",
        formula=r"y_n-\hat f_{-n}=\frac{y_n-\hat f(x_n)}{1-W_{nn}}\qquad \boldsymbol\beta=("
        r"\boldsymbol\Phi^{\mathsf T}\mathbf D\boldsymbol\Phi)^{-1}\boldsymbol\Phi^{\mathsf T}\mathbf D\,"
        r"\mathbf y\quad(14.95)",
        show="explorers.local_fit(place=0.0, h=10.0)",
        teaches=("16, section 5", "16_smoothing_kernels.ipynb#5-A-line-instead-of-a-constant-·-core"),
        tags=("kernels", "compare"),
    ),
)
