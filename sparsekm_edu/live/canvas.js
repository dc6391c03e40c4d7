// The page's side of the live canvas: shows frames, reports gestures, draws the held point at once.
// The kernel answers every gesture; until it has, only the newest gesture waits (back-pressure).

const REACH = { mouse: 14, pen: 18, touch: 28 }; // how far from a point a press still takes it, CSS pixels
const LOOKS = "change:handles change:mode change:stale change:description";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const CORNERS = { diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]], triangle: [[0, -1], [0.9, 0.7], [-0.9, 0.7]] };

function render({ model, el }) {
  const page = document.createElement("div");
  page.className = "skm-page";
  const canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  // JupyterLab listens to the keys of the whole page: "d d" must not delete the cell under the picture
  canvas.setAttribute("data-lm-suppress-shortcuts", "true");
  const keys = document.createElement("div");
  keys.className = "skm-keys";
  const voice = document.createElement("div"); // tells a screen reader which point the keys have chosen
  voice.className = "skm-live";
  voice.setAttribute("aria-live", "polite");
  page.append(canvas, keys, voice);
  el.append(page);
  const pen = canvas.getContext("2d");

  let picture = null; // the last frame, decoded
  let held = -1; // index of the handle under the pointer or the keys
  let pointer = null; // where the held point is, as fractions of the picture
  let cross = null; // the cross that the keys move in "add" mode
  let chosen = -1; // the handle that the keys move
  let aim = null; // where they have sent it, as long as the kernel has not answered

  // ---- to the kernel -------------------------------------------------------------------------------
  let nonce = 0;
  let unanswered = 0; // nonce of the gesture that the kernel is working on
  let move = null; // of the moves, only the newest waits
  const urgent = []; // adding, removing, a new theme or size: none may be lost
  function tell(gesture) {
    if (gesture.type === "move") move = gesture;
    else {
      if (move) urgent.push(move); // first what was done first
      move = null;
      urgent.push(gesture);
    }
    sendNext();
  }
  function sendNext() {
    if (unanswered) return;
    const next = urgent.shift() ?? move;
    if (next === move) move = null;
    canvas.dataset.busy = String(Boolean(next));
    if (!next) return void (aim = null);
    unanswered = ++nonce;
    model.send({ ...next, nonce });
  }
  function answered(message) {
    if (message.answered !== unanswered) return;
    unanswered = 0;
    sendNext();
  }

  // ---- drawing -------------------------------------------------------------------------------------
  function paint() {
    if (!picture) return;
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
    }
    pen.drawImage(picture, 0, 0);
    const unit = canvas.width / Math.max(1, canvas.clientWidth); // picture pixels per CSS pixel
    const handles = model.get("handles");
    if (held >= 0 && pointer && handles[held]) marker(pointer, handles[held][2], handles[held][3], unit);
    const focused = document.activeElement === canvas;
    if (focused && chosen >= 0 && handles[chosen] && held < 0) halo(handles[chosen], unit);
    if (focused && cross && model.get("mode") === "add") crosshair(cross, unit);
  }
  function marker([u, v], colour, shape, unit) {
    const x = u * canvas.width, y = v * canvas.height, r = 6 * unit;
    pen.beginPath();
    if (shape === "square") pen.rect(x - r, y - r, 2 * r, 2 * r);
    else if (CORNERS[shape]) {
      for (const [dx, dy] of CORNERS[shape]) pen.lineTo(x + 1.3 * r * dx, y + 1.3 * r * dy);
      pen.closePath();
    } else pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    halo([u, v], unit);
  }
  function halo([u, v], unit) {
    pen.beginPath();
    pen.arc(u * canvas.width, v * canvas.height, 14 * unit, 0, 2 * Math.PI);
    pen.lineWidth = 3 * unit;
    pen.strokeStyle = "rgba(120, 120, 120, 0.8)";
    pen.stroke();
  }
  function crosshair([u, v], unit) {
    const x = u * canvas.width, y = v * canvas.height, r = 12 * unit;
    pen.beginPath();
    pen.moveTo(x - r, y), pen.lineTo(x + r, y), pen.moveTo(x, y - r), pen.lineTo(x, y + r);
    pen.lineWidth = 2 * unit;
    pen.strokeStyle = "rgb(120, 120, 120)";
    pen.stroke();
  }
  let newest = 0;
  async function show() {
    const bytes = model.get("frame");
    if (!bytes || !bytes.byteLength) return;
    const mine = ++newest;
    const decoded = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    if (mine !== newest) return decoded.close(); // a later frame has overtaken this one
    picture?.close(); // decoded frames are large: not left to the collector
    picture = decoded;
    canvas.dataset.frames = String(mine);
    paint();
  }
  function dress() {
    const grabbable = model.get("handles").length > 0;
    canvas.dataset.handles = JSON.stringify(model.get("handles").map(([u, v, , , fixed]) => [u, v, fixed])); // for tests
    canvas.classList.toggle("skm-grabbable", grabbable);
    page.classList.toggle("skm-stale", model.get("stale"));
    canvas.style.aspectRatio = String(model.get("ratio"));
    canvas.style.cursor = { add: "crosshair", remove: "pointer" }[model.get("mode")] ?? "default";
    canvas.setAttribute("aria-label", model.get("description"));
    keys.textContent = !grabbable
      ? ""
      : model.get("mode") === "add"
        ? "Click to add a point. Keys: arrows move the cross, Enter adds."
        : model.get("mode") === "remove"
          ? "Click a point to remove it. Keys: Space chooses, Delete removes."
          : model.get("handles").every((handle) => handle[4])
            ? "Click a point to choose it. Keys: Space goes from point to point, Enter chooses."
            : model.get("editable")
              ? "Drag a point. Keys: Space chooses one, arrows move it, Delete removes it."
              : "Drag what has a handle. Keys: Space chooses one, arrows move it.";
    paint();
  }

  // ---- pointer -------------------------------------------------------------------------------------
  const where = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  function nearest([u, v], kind) {
    const box = canvas.getBoundingClientRect();
    let best = -1, least = REACH[kind] ?? REACH.mouse;
    model.get("handles").forEach(([hu, hv], index) => {
      const away = Math.hypot((hu - u) * box.width, (hv - v) * box.height);
      if (away <= least) (least = away), (best = index);
    });
    return best;
  }
  const fixed = (index) => model.get("handles")[index]?.[4]; // to be chosen by a click, not dragged
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    event.preventDefault(); // or JupyterLab selects the cell
    event.stopPropagation();
    canvas.focus({ preventScroll: true });
    const spot = where(event), index = nearest(spot, event.pointerType), mode = model.get("mode");
    if (mode === "add" && index < 0) return tell({ type: "add", u: spot[0], v: spot[1] });
    if (mode === "remove") return index >= 0 && tell({ type: "remove", index });
    if (index < 0) return;
    chosen = index;
    if (fixed(index)) return tell({ type: "choose", index });
    held = index;
    aim = null;
    pointer = spot;
    canvas.setPointerCapture(event.pointerId);
    canvas.style.cursor = "grabbing";
    paint();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held < 0) {
      if (model.get("mode") === "move") {
        const under = nearest(where(event), event.pointerType);
        canvas.style.cursor = under < 0 ? "default" : fixed(under) ? "pointer" : "grab";
      }
      return;
    }
    pointer = where(event).map((share) => Math.min(1, Math.max(0, share)));
    paint(); // the held point follows at once, the rest when the kernel has drawn it
    tell({ type: "move", index: held, u: pointer[0], v: pointer[1] });
  });
  const release = () => {
    if (held < 0) return;
    held = -1;
    dress();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  // ---- keys ----------------------------------------------------------------------------------------
  canvas.addEventListener("keydown", (event) => {
    const handles = model.get("handles"), mode = model.get("mode");
    const arrow = ARROWS[event.key];
    const stride = (event.shiftKey ? 20 : 5) / Math.max(1, canvas.clientWidth);
    const shift = ([u, v]) => [
      Math.min(1, Math.max(0, u + arrow[0] * stride)),
      Math.min(1, Math.max(0, v + arrow[1] * stride * model.get("ratio"))),
    ];
    if (event.key === "Escape") {
      chosen = -1;
      canvas.blur();
    } else if (mode === "add" && (arrow || event.key === "Enter")) {
      cross ??= [0.5, 0.5];
      if (arrow) cross = shift(cross);
      else tell({ type: "add", u: cross[0], v: cross[1] });
    } else if (event.key === " " && handles.length) {
      const step = event.shiftKey ? handles.length - 1 : 1;
      chosen = chosen < 0 ? 0 : (chosen + step) % handles.length;
      aim = null;
      voice.textContent = `${handles[chosen][3]} ${chosen + 1} of ${handles.length}`;
    } else if (event.key === "Enter" && fixed(chosen)) {
      tell({ type: "choose", index: chosen });
    } else if (arrow && handles[chosen] && !fixed(chosen)) {
      aim = shift(aim ?? handles[chosen]); // quick presses add up
      tell({ type: "move", index: chosen, u: aim[0], v: aim[1] });
    } else if ((event.key === "Delete" || event.key === "Backspace") && handles[chosen] && model.get("editable")) {
      tell({ type: "remove", index: chosen });
      chosen = -1;
      aim = null;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    paint();
  });
  canvas.addEventListener("focus", () => {
    if (model.get("mode") === "add") cross ??= [0.5, 0.5];
    paint();
  });
  canvas.addEventListener("blur", paint);

  // ---- the page around it --------------------------------------------------------------------------
  const isDark = () => document.body.dataset.jpThemeLight === "false";
  let dark = false; // the kernel starts on white paper
  function theme() {
    if (isDark() === dark) return;
    dark = isDark();
    tell({ type: "theme", dark });
  }
  const themes = new MutationObserver(theme);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  let scale = 1;
  const sizes = new ResizeObserver(() => {
    const wanted = (canvas.clientWidth * (window.devicePixelRatio || 1)) / model.get("natural");
    if (canvas.clientWidth === 0 || Math.abs(wanted - scale) < 0.08) return;
    scale = wanted;
    tell({ type: "size", scale });
  });
  sizes.observe(canvas);

  model.on("change:frame", show);
  model.on(LOOKS, dress);
  model.on("msg:custom", answered);
  dress();
  show();
  theme();
  return () => {
    themes.disconnect();
    sizes.disconnect();
    model.off("change:frame", show);
    model.off(LOOKS, dress);
    model.off("msg:custom", answered);
  };
}

export default { render };
