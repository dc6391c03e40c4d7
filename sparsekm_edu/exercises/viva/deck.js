// The page's side of the viva cards: shows what Python says is to be seen, and sends what the learner does.

const make = (tag, parent, fields = {}) => parent.appendChild(Object.assign(document.createElement(tag), fields));
// only what is new: a live region reads aloud whatever is written into it
const put = (node, html) => node.said !== html && ((node.innerHTML = node.said = html), true);
const KEYS = {
  question: "Say the answer aloud. Then turn the card: space.",
  answer: "How was it? Keys: 1, 2, 3.",
  rest: "",
};

function render({ model, el }) {
  const now = () => model.get("shown");
  const send = (type, fields = {}) => model.send({ type, ...fields });
  const box = make("section", el, { className: "skm-viva-card", tabIndex: 0 });
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Viva cards. Space turns the card, 1, 2 and 3 grade your answer, u undoes, s shows a picture.");
  box.setAttribute("data-lm-suppress-shortcuts", "true"); // keys typed here are no commands of JupyterLab

  const top = make("div", box, { className: "skm-viva-row" });
  const head = make("b", top), tags = make("span", top, { className: "skm-viva-quiet" });
  const clock = make("span", top, { className: "skm-viva-clock" });
  clock.setAttribute("role", "timer");
  const choices = make("span", top, { className: "skm-viva-choices" });

  const card = make("div", box);
  card.setAttribute("aria-live", "polite");
  const question = make("div", card, { className: "skm-viva-question" });
  const answer = make("div", card, { className: "skm-viva-answer" });
  const formula = make("div", card, { className: "skm-viva-formula" });

  const row = make("div", box, { className: "skm-viva-row" });
  const button = (label, action, name = "") => {
    const made = make("button", row, { type: "button", className: name, textContent: label });
    made.addEventListener("click", action);
    return made;
  };
  const help = make("span", row, { className: "skm-viva-help" });
  const go = button("", () => begin(), "skm-viva-main");
  const turn = button("Turn", () => send("turn"), "skm-viva-main");
  const grades = ["again", "hard", "good"].map((grade) => button("", () => send("grade", { grade })));
  const show = button("", () => open());
  const undo = button("Undo (u)", () => send("undo"));
  const end = button("", () => send("end"));
  const message = make("div", box, { className: "skm-viva-message" });
  const voice = make("div", box, { className: "skm-viva-voice" });
  for (const one of [message, voice]) one.setAttribute("role", "status");
  const statistics = make("div", box, { className: "skm-viva-statistics" });

  const open = () => {
    show.textContent = "One moment …";
    send("show");
  };
  const begin = () => send("go", now().minutes ? { ends: Date.now() + now().minutes * 60_000 } : {});

  // ---- keys -------------------------------------------------------------------------------------------
  function pressed(key) {
    const { phase } = now();
    if (key === " " || key === "Enter") {
      if (phase === "question") send("turn");
      else if (phase === "rest" && now().go && !now().summary) begin(); // no key throws a summary away
    } else if ("123".includes(key) && phase === "answer") send("grade", { grade: ["again", "hard", "good"][key - 1] });
    else if (key === "u" && now().undo) send("undo");
    else if (key === "s" && now().show) open();
    else return false;
    return true;
  }
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const own = event.target.closest("button, select, a"); // these know what space and enter mean to them
    if (event.repeat || event.target.closest("select") || (own && [" ", "Enter"].includes(event.key))) return;
    if (pressed(event.key) || event.key === " ") event.preventDefault(); // space would scroll the page
  });

  // ---- the clock runs here: what is late is late where the learner sits ---------------------------------
  let told = "";
  function tick() {
    const { ends, phase } = now();
    clock.hidden = !ends || phase === "rest";
    if (clock.hidden) return;
    const seconds = Math.ceil((ends - Date.now()) / 1000);
    const minutes = Math.floor(Math.abs(seconds) / 60), rest = String(Math.abs(seconds) % 60).padStart(2, "0");
    clock.textContent = seconds > 0 ? `${minutes}:${rest} left` : `time is over since ${minutes}:${rest}`;
    clock.classList.toggle("skm-viva-late", seconds <= 0);
    const tell = seconds <= 0 ? "Time is over. Finish this card if you like, then end." : seconds <= 60 ? "One minute left." : "";
    if (seconds <= 0 && tell !== told) send("time over");
    if (tell !== told) voice.textContent = told = tell;
  }
  const ticking = setInterval(tick, 500);

  // ---- what is to be seen -----------------------------------------------------------------------------
  function chooser({ label, tags, chosen }) {
    const wrap = make("label", choices, { textContent: `${label} ` });
    const select = make("select", wrap);
    for (const tag of ["", ...tags]) make("option", select, { value: tag, textContent: tag || "all" });
    select.value = chosen;
    select.addEventListener("change", () => {
      const wanted = [...choices.querySelectorAll("select")].map((one) => one.value).filter(Boolean);
      send("choose", { tags: wanted });
    });
  }
  function paint() {
    const shown = now(), { phase } = shown, had = box.contains(document.activeElement);
    head.textContent = shown.head ?? "";
    tags.textContent = shown.tags ?? "";
    const asked = JSON.stringify(shown.choices ?? []);
    if (choices.dataset.asked !== asked) {
      const place = [...choices.querySelectorAll("select")].indexOf(document.activeElement);
      choices.dataset.asked = asked;
      choices.replaceChildren();
      (shown.choices ?? []).forEach(chooser);
      choices.querySelectorAll("select")[place]?.focus();
    }
    put(question, shown.question ?? "");
    put(answer, shown.answer ?? "");
    put(formula, shown.formula ?? "");
    help.textContent = KEYS[phase];
    help.hidden = !help.textContent;
    go.textContent = shown.go ?? "";
    go.hidden = phase !== "rest" || !shown.go;
    turn.hidden = phase !== "question";
    grades.forEach((one, n) => {
      one.hidden = phase !== "answer";
      one.textContent = `${n + 1} ${shown.marks?.[n] ?? ""}`;
    });
    show.textContent = `${shown.show} (s)`;
    show.hidden = !shown.show;
    undo.hidden = !shown.undo;
    end.textContent = shown.end ?? "";
    end.hidden = !shown.end;
    message.textContent = shown.message ?? "";
    put(statistics, shown.statistics ?? "");
    box.dataset.phase = phase;
    tick();
    if (had && (document.activeElement.hidden || !box.contains(document.activeElement))) box.focus();
    if (had) box.scrollIntoView({ block: shown.open ? "start" : "nearest" }); // room for the picture below
  }
  model.on("change:shown", paint);
  paint();
  return () => {
    model.off("change:shown", paint);
    clearInterval(ticking);
  };
}

export default { render };
