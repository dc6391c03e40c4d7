// The page's side of a guess: asks, sends the guess when the learner commits, and shows the answer that comes back.
// The truth is not in the page before.

const make = (tag, parent, fields = {}) => parent.appendChild(Object.assign(document.createElement(tag), fields));
const SVG = "http://www.w3.org/2000/svg";
const shape = (tag, parent, fields = {}) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(fields)) made.setAttribute(name, value);
  return parent.appendChild(made);
};
let made = 0; // widgets so far: their radio buttons need names of their own

// ---- the three kinds: each returns { value(), show(guessed, truth) }, and a row if there is room for buttons in it ----
function choices(spec, box) {
  const name = `skm-guess-${++made}`;
  const row = make("div", box, { className: "skm-guess-row" });
  const buttons = spec.words.map((word) => {
    const label = make("label", row, { className: "skm-guess-choice" });
    const button = make("input", label, { type: "radio", name });
    make("span", label, { innerHTML: word });
    return button;
  });
  return {
    value: () => {
      const chosen = buttons.findIndex((button) => button.checked);
      return chosen < 0 ? null : chosen;
    },
    show: (guessed) => buttons.forEach((button, n) => {
      button.checked = guessed === n;
      button.disabled = guessed !== null;
    }),
  };
}

function number(spec, box, commit) {
  const row = make("div", box, { className: "skm-guess-row" });
  const label = make("label", row, { textContent: "My guess: " });
  const input = make("input", label, { type: "text", inputMode: "decimal", autocomplete: "off" });
  if (spec.unit) make("span", row, { textContent: spec.unit });
  input.addEventListener("keydown", (event) => event.key === "Enter" && commit());
  return {
    row,
    value: () => {
      const text = input.value.trim().replace("−", "-").replace(/^([^.,]*),([^.,]*)$/, "$1.$2"); // a decimal comma
      return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
    },
    show: (guessed) => {
      if (guessed !== null) input.value = String(guessed);
      input.disabled = guessed !== null;
    },
  };
}

function ticks(low, high) {
  // round numbers, about five of them
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

function curve(spec, box) {
  const W = 460, H = 260, LEFT = 58, RIGHT = 12, TOP = 12, BOTTOM = 44, n = spec.points;
  const [x0, x1] = spec.x, [y0, y1] = spec.y;
  const px = (x) => LEFT + ((x - x0) / (x1 - x0)) * (W - LEFT - RIGHT);
  const py = (y) => H - BOTTOM - ((y - y0) / (y1 - y0)) * (H - TOP - BOTTOM);
  const place = (k) => x0 + ((x1 - x0) * k) / (n - 1);
  const clip = (y) => Math.min(y1, Math.max(y0, y));
  const short = (value) => String(Number(value.toPrecision(3))).replace("-", "−");

  const picture = shape("svg", box, { viewBox: `0 0 ${W} ${H}`, tabindex: 0, role: "application" });
  picture.setAttribute(
    "aria-label",
    `Axes: ${spec.xlabel} from ${x0} to ${x1}, ${spec.ylabel} from ${y0} to ${y1}. Draw a curve: left and right arrows ` +
      "choose a place, up and down arrows set the height there, Delete removes it."
  );
  const voice = make("div", box, { className: "skm-hidden-voice" });
  voice.setAttribute("aria-live", "polite");
  make("p", box, { textContent: "Draw with the pointer, or with the arrow keys." });
  for (const x of ticks(x0, x1)) {
    shape("line", picture, { class: "grid", x1: px(x), x2: px(x), y1: py(y0), y2: py(y1) });
    shape("text", picture, { x: px(x), y: H - BOTTOM + 17, "text-anchor": "middle" }).textContent = short(x);
  }
  for (const y of ticks(y0, y1)) {
    shape("line", picture, { class: "grid", x1: px(x0), x2: px(x1), y1: py(y), y2: py(y) });
    shape("text", picture, { x: LEFT - 6, y: py(y) + 4, "text-anchor": "end" }).textContent = short(y);
  }
  shape("rect", picture, { class: "axis", x: LEFT, y: TOP, width: W - LEFT - RIGHT, height: H - TOP - BOTTOM });
  shape("text", picture, { x: (LEFT + W - RIGHT) / 2, y: H - 6, "text-anchor": "middle" }).textContent = spec.xlabel;
  shape("text", picture, {
    x: 14, y: (TOP + H - BOTTOM) / 2, "text-anchor": "middle",
    transform: `rotate(-90 14 ${(TOP + H - BOTTOM) / 2})`,
  }).textContent = spec.ylabel;
  const cursor = shape("line", picture, { class: "cursor", y1: py(y0), y2: py(y1) });
  const own = shape("polyline", picture, { class: "own" });
  const marks = shape("g", picture);
  const truth = shape("polyline", picture, { class: "truth" });
  const names = shape("g", picture);

  let heights = new Array(n).fill(null), at = 0, last = null, open = true, answered = false;
  const line = (ys) => ys.map((y, k) => (y === null ? null : `${px(place(k))},${py(y)}`)).filter(Boolean).join(" ");
  function paint() {
    own.setAttribute("points", line(heights));
    marks.replaceChildren();
    const few = heights.filter((y) => y !== null).length < 8; // single marks, as the keys set them
    if (few) heights.forEach((y, k) => y !== null && shape("circle", marks, { class: "mark", cx: px(place(k)), cy: py(y), r: 4 }));
    cursor.setAttribute("x1", px(place(at)));
    cursor.setAttribute("x2", px(place(at)));
  }
  function where(event) {
    const frame = picture.getBoundingClientRect();
    const u = ((event.clientX - frame.left) / frame.width) * W, v = ((event.clientY - frame.top) / frame.height) * H;
    const k = Math.round(((u - LEFT) / (W - LEFT - RIGHT)) * (n - 1));
    const y = y0 + ((H - BOTTOM - v) / (H - TOP - BOTTOM)) * (y1 - y0);
    return [Math.min(n - 1, Math.max(0, k)), clip(y)];
  }
  function draw(event) {
    const [k, y] = where(event), [k0, was] = last ?? [k, y];
    const steps = Math.abs(k - k0);
    for (let s = 0; s <= steps; s++) heights[k0 + Math.sign(k - k0) * s] = steps ? was + ((y - was) * s) / steps : y;
    last = [k, y];
    at = k;
    paint();
  }
  picture.addEventListener("pointerdown", (event) => {
    if (!open || event.button > 0) return;
    event.preventDefault();
    picture.focus({ preventScroll: true });
    picture.setPointerCapture(event.pointerId);
    last = null;
    draw(event);
  });
  picture.addEventListener("pointermove", (event) => last && open && draw(event));
  for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => (last = null));
  picture.addEventListener("keydown", (event) => {
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key], up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!open || (!across && !up && event.key !== "Delete")) return;
    event.preventDefault();
    if (across) at = Math.min(n - 1, Math.max(0, at + across));
    else if (up) heights[at] = clip((heights[at] ?? (y0 + y1) / 2) + (up * (y1 - y0)) / (event.shiftKey ? 10 : 40));
    else heights[at] = null;
    voice.textContent =
      `${spec.xlabel} ${short(place(at))}: ` + (heights[at] === null ? "no height yet" : `${spec.ylabel} ${short(heights[at])}`);
    paint();
  });
  paint();
  return {
    value: () => heights,
    show: (guessed, found) => {
      open = guessed === null;
      if (guessed) heights = [...guessed];
      else if (answered) (heights = new Array(n).fill(null)), (at = 0); // asked again: an empty sheet
      answered = guessed !== null;
      truth.setAttribute("points", line(found));
      names.replaceChildren();
      if (found.length) {
        // where the two are farthest apart their names do not cover them
        const inner = found.map((_, k) => k).slice(3, -3), apart = (k) => Math.abs(found[k] - heights[k]);
        const k = inner.reduce((best, one) => (apart(one) > apart(best) ? one : best));
        const above = found[k] > heights[k] ? 1 : -1;
        const name = (text, y, side, cls) =>
          (shape("text", names, { x: px(place(k)), y: py(clip(y)) - side * 10 + 4, class: cls, "text-anchor": "middle" }).textContent = text);
        name("the truth", found[k], above, "truth-name");
        name("you", heights[k], -above, "own-name");
      }
      paint();
    },
  };
}

function render({ model, el }) {
  const spec = model.get("spec");
  const box = make("fieldset", el, { className: "skm-guess" });
  // keys typed here are no commands of JupyterLab; those with Control are
  box.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation());
  box.dataset.guess = model.get("id");
  make("legend", box, { textContent: "Guess, then see" });
  make("p", box, { innerHTML: model.get("question") });
  const commit = () => model.get("guessed") === null && model.send({ type: "commit", value: kind.value() });
  const kind = { choice: choices, number, curve }[spec.kind](spec, box, commit);
  const row = kind.row ?? make("div", box, { className: "skm-guess-row" });
  const button = make("button", row, { type: "button", className: "skm-commit", textContent: "I commit" });
  const again = make("button", row, { type: "button", textContent: "Ask me again" });
  const refusal = make("div", row, { className: "skm-refusal" });
  refusal.setAttribute("role", "status");
  const answer = make("div", box, { className: "skm-guess-answer" });
  answer.setAttribute("aria-live", "polite");
  button.addEventListener("click", commit);
  again.addEventListener("click", () => model.send({ type: "again" }));

  for (const one of box.querySelectorAll("input, button, svg")) one.setAttribute("data-lm-suppress-shortcuts", "true");

  function show() {
    const guessed = model.get("guessed");
    kind.show(guessed, model.get("truth"));
    button.hidden = guessed !== null;
    again.hidden = guessed === null;
    refusal.textContent = model.get("message");
    answer.replaceChildren();
    answer.classList.toggle("skm-right", model.get("right"));
    if (guessed === null) return;
    const verdict = make("p", answer);
    make("b", verdict, { innerHTML: (model.get("right") ? "✓ " : "✗ ") + model.get("verdict") });
    make("p", answer, { innerHTML: model.get("answer") });
  }
  const changes = "change:guessed change:message change:answer change:truth";
  model.on(changes, show);
  show();
  return () => model.off(changes, show);
}

export default { render };
