// What the page does beyond showing: zoom and overview of diagrams, cards about elements, the filter of the log.

makeCards();
wire(document);

// What was put on the page comes to life.
export function wire(root) {
  for (const canvas of root.querySelectorAll("[data-canvas]")) makeCanvas(canvas);
  for (const filter of root.querySelectorAll("[data-filter]")) makeFilter(filter);
  reach(root);
}

// What scrolls can be reached by keyboard; inside what is folded up that shows when it is opened.
function reach(root) {
  // All are measured before any is changed: the page is laid out once, not once for each.
  const scrolls = (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
  for (const each of [...root.querySelectorAll(".wide, .long, pre")].filter(scrolls)) each.tabIndex = 0;
}
document.addEventListener("toggle", (event) => reach(event.target), { capture: true });
addEventListener("resize", () => reach(document));

function makeCanvas(canvas) {
  const sheet = canvas.querySelector(".sheet");
  const drawing = sheet.querySelector("svg");
  const tools = canvas.querySelector(".tools");
  const overview = canvas.querySelector(".overview");
  const { width, height } = drawing.viewBox.baseVal;
  const whole = () => sheet.clientWidth / width;
  let scale = Math.min(1.15, Math.max(whole(), Math.min(0.8, (0.8 * innerHeight) / height), 0.6));

  const frame = document.createElement("div");
  frame.className = "window";
  const small = drawing.cloneNode(true);
  for (const inner of small.querySelectorAll("[tabindex]")) inner.removeAttribute("tabindex");
  for (const inner of small.querySelectorAll("title, text, .pill, .label, .flag, .icon, .badge, .extra")) inner.remove();
  small.removeAttribute("width");
  small.removeAttribute("height");
  small.setAttribute("aria-hidden", "true");
  small.removeAttribute("role");
  overview.append(small, frame);
  tools.hidden = false;

  function draw() {
    drawing.setAttribute("width", width * scale);
    drawing.setAttribute("height", height * scale);
    // A drawing that is much higher than broad would be a thread.
    const helps = width * scale > sheet.clientWidth + 4 && width > 0.7 * height;
    overview.hidden = !helps;
    if (helps) follow();
  }

  function follow() {
    const box = small.getBoundingClientRect();
    const shown = Math.min(box.width / width, box.height / height);
    const origin = overview.getBoundingClientRect();
    const x0 = box.left - origin.left + (box.width - width * shown) / 2;
    const y0 = box.top - origin.top + (box.height - height * shown) / 2;
    const factor = shown / scale;
    frame.style.left = `${x0 + sheet.scrollLeft * factor}px`;
    frame.style.top = `${y0 + sheet.scrollTop * factor}px`;
    frame.style.width = `${Math.min(sheet.clientWidth, width * scale) * factor}px`;
    frame.style.height = `${Math.min(sheet.clientHeight, height * scale) * factor}px`;
    return { x0, y0, factor };
  }

  function zoom(to) {
    const x = (sheet.scrollLeft + sheet.clientWidth / 2) / scale;
    const y = (sheet.scrollTop + sheet.clientHeight / 2) / scale;
    scale = Math.min(3, Math.max(0.05, to));
    draw();
    sheet.scrollTo(x * scale - sheet.clientWidth / 2, y * scale - sheet.clientHeight / 2);
  }

  tools.addEventListener("click", (event) => {
    const wanted = event.target.dataset?.zoom;
    if (wanted === "in") zoom(scale * 1.25);
    if (wanted === "out") zoom(scale / 1.25);
    if (wanted === "whole") zoom(whole());
    if (wanted === "full") zoom(1);
  });
  overview.addEventListener("pointerdown", (event) => {
    const { x0, y0, factor } = follow();
    const origin = overview.getBoundingClientRect();
    const go = (moved) =>
      sheet.scrollTo(
        (moved.clientX - origin.left - x0) / factor - sheet.clientWidth / 2,
        (moved.clientY - origin.top - y0) / factor - sheet.clientHeight / 2,
      );
    go(event);
    overview.setPointerCapture(event.pointerId);
    overview.onpointermove = go;
    overview.onpointerup = () => (overview.onpointermove = null);
  });
  drag(sheet);
  sheet.addEventListener("scroll", () => overview.hidden || follow(), { passive: true });
  new ResizeObserver(draw).observe(canvas);
  draw();
  const first = drawing.querySelector(".event:not(.unvisited)") ?? drawing.querySelector(".event");
  if (first) {
    const box = first.getBBox();
    sheet.scrollTop = (box.y - drawing.viewBox.baseVal.y) * scale - sheet.clientHeight / 2;
  }
}

// A mouse drags the drawing; fingers scroll it anyhow.
function drag(sheet) {
  let from = null;
  sheet.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0)
      from = { x: event.clientX + sheet.scrollLeft, y: event.clientY + sheet.scrollTop };
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    sheet.classList.add("drags");
    sheet.scrollTo(from.x - event.clientX, from.y - event.clientY);
  });
  window.addEventListener("pointerup", () => {
    from = null;
    sheet.classList.remove("drags");
  });
}

// A card about the element that is pointed at; a click or a tap keeps it.
function makeCards() {
  // Looked up each time: a page may put new ones in the place of these.
  const theCard = () => document.querySelector("[data-card]");
  let kept = null;
  let shown = null;

  const nodeOf = (event) => event.target.closest?.(".sheet .node");
  const close = () => {
    kept?.classList.remove("chosen");
    kept = null;
    const card = theCard();
    if (card) card.hidden = true;
  };

  function fill(node) {
    const card = theCard();
    const row = document.querySelector(`tr[data-node="${node.dataset.node}"]`);
    const heads = [...document.querySelectorAll(".nodes thead th")].map((head) => head.textContent);
    const policy = document.getElementById(`policy-${row?.dataset.policy ?? node.dataset.policy}`);
    const title = document.createElement("h4");
    title.textContent = row?.cells[0].textContent ?? node.parentNode.querySelector("title")?.textContent ?? "";
    const facts = document.createElement("dl");
    [...(row?.cells ?? [])].forEach((cell, index) => {
      const text = cell.textContent.trim();
      if (index === 0 || !text) return;
      const pair = document.createElement("div");
      pair.append(Object.assign(document.createElement("dt"), { textContent: heads[index] }));
      pair.append(Object.assign(document.createElement("dd"), { textContent: text }));
      facts.append(pair);
    });
    card.replaceChildren(title, facts);
    if (policy) {
      const copy = policy.cloneNode(true);
      copy.removeAttribute("id");
      card.append(copy);
    }
    return Boolean(row || policy);
  }

  function show(node) {
    if (!theCard() || !fill(node)) return false;
    theCard().hidden = false;
    shown = node;
    place();
    return true;
  }

  function place() {
    const card = theCard();
    if (!card || card.hidden || !shown) return;
    const box = shown.getBoundingClientRect();
    const below = box.bottom + 10 + card.offsetHeight < innerHeight;
    const top = below ? box.bottom + 10 : Math.max(8, box.top - card.offsetHeight - 10);
    card.style.top = `${top}px`;
    card.style.left = `${Math.min(Math.max(8, box.left), innerWidth - card.offsetWidth - 12)}px`;
  }

  document.addEventListener("pointerover", (event) => {
    const node = nodeOf(event);
    if (event.pointerType === "mouse" && node && !kept) show(node);
  });
  document.addEventListener("pointerout", (event) => {
    if (!kept && nodeOf(event) && theCard()) theCard().hidden = true;
  });
  document.addEventListener("click", (event) => {
    const node = nodeOf(event);
    if (theCard()?.contains(event.target)) return;
    close();
    if (node && show(node)) {
      kept = node;
      node.classList.add("chosen");
    }
  });
  document.addEventListener("focusin", (event) => {
    const node = nodeOf(event);
    if (node && event.target.matches(":focus-visible") && !kept) show(node);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  document.addEventListener("scroll", place, { passive: true, capture: true });
}

function makeFilter(filter) {
  const table = document.querySelector(".log tbody");
  const texts = new WeakMap();
  const textOf = (row) => texts.get(row) ?? texts.set(row, row.textContent.toLowerCase()).get(row);
  const type = filter.querySelector("select");
  const text = filter.querySelector("input");
  const count = filter.querySelector("output");
  const apply = () => {
    const wanted = text.value.toLowerCase();
    let shown = 0;
    for (const row of table.rows) {
      const fits = (!type.value || row.dataset.type === type.value) && (!wanted || textOf(row).includes(wanted));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} / ${table.rows.length}`;
  };
  filter.hidden = false;
  filter.addEventListener("input", apply);
  // Rows may come later: older events that somebody asked for.
  new MutationObserver(apply).observe(table, { childList: true });
  apply();
}
