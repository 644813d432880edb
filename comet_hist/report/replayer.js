// Shows the hands of the page one ply after another. Whatever comes from a record is put in as text, never as HTML.
(() => {
  const { COMET, rank, said, signed, spoken, playsOf, stateAt, paidAt, paidUntil, plus } = hands;
  const STOPS = { king: "stop: king", gap: "stop: gap", played: "stop: next card played before", out: "out" };
  const KINDS = { ante: "Ante", comet: "Comet", cards: "Cards left", pot: "Pot", transfer: "Transfer" };
  const ICONS = {
    first: "M6 5v14M19 5 9 12l10 7z", prev: "M16 5 6 12l10 7z",
    next: "M8 5l10 7-10 7z", last: "M18 5v14M5 5l10 7-10 7z",
  };
  const CLOCK = 150; // Milliseconds before the address follows: browsers refuse too many changes of it at once.

  const sessions = JSON.parse(document.getElementById("replays").textContent);
  const section = document.getElementById("replayer");
  const root = document.getElementById("replay");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const at = { session: 0, hand: 0, ply: 0 };
  const ui = {};
  let clock = 0;

  // Elements: data comes in as text only.

  function el(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  }

  function name(text) {
    return el("bdi", "rp-name", text);
  }

  // Cards

  function cardFace(card, className = "") {
    const kinds = { "rp-red": hands.isRed(card), "rp-comet": card === COMET, "rp-ten": card[0] === "T" };
    const kind = Object.keys(kinds).filter((each) => kinds[each]).join(" ");
    const face = el("span", `rp-card ${kind} ${className}`, el("b", "", rank(card)), el("i", "", hands.sign(card)));
    face.dataset.card = card;
    return face;
  }

  function inLine(card, standsFor) {
    const text = signed(card) + (standsFor ? `=${signed(standsFor)}` : "");
    return el("span", `rp-inline ${hands.isRed(card) ? "rp-red" : ""}`, text);
  }

  // Drawing

  function currentHand() {
    return sessions[at.session]?.hands[at.hand];
  }

  function drawRun(hand, state) {
    const run = state.last?.run;
    const turns = [];
    for (const play of state.laid.filter((each) => each.run === run)) {
      if (turns.at(-1)?.by !== play.by) turns.push({ by: play.by, plays: [] });
      turns.at(-1).plays.push(play);
    }
    return el("div", "rp-run", ...turns.map(({ by, plays }) => {
      const cards = plays.map((play) => laidCard(hand, play, play === state.last));
      return el("span", "rp-turn", el("span", "rp-by", name(hand.players[by])), el("span", "rp-laid", ...cards));
    }));
  }

  function laidCard(hand, play, isLast) {
    const wrong = hands.fault(hand, play.ply);
    const card = cardFace(play.card, `${isLast ? "rp-new" : ""} ${wrong ? "rp-wrong" : ""}`);
    const tag = play.standsFor ? el("span", "rp-as", `as ${signed(play.standsFor)}`) : null;
    const mark = wrong ? el("span", "rp-mark", "wrong") : null;
    const box = el("span", "rp-spot", card, tag, mark);
    if (play.standsFor) box.dataset.standsFor = play.standsFor;
    return box;
  }

  function drawFelt(hand, state) {
    const { stop, unplaced } = state.turn;
    const run = hand.runs[state.last?.run];
    const pot = hands.wonBy(hand, null, paidUntil(hand, state.laid.length));
    const title = run ? `Run ${state.last.run + 1}` : "No card lies yet";
    const felt = el("div", "rp-felt",
      el("p", "rp-title", title, run && stop ? el("span", "rp-stop", STOPS[stop]) : null),
      drawRun(hand, state),
      unplaced.length ? el("p", "rp-also", `Also there, and not known whose: ${unplaced.map(signed).join(" ")}`) : null,
      el("p", "rp-pot", el("span", "rp-chip"), `Pot ${pot}`));
    felt.dataset.who = "pot";
    return felt;
  }

  function drawSeat(hand, state, position) {
    const next = hands.nextPlayers(state).includes(position);
    const won = state.turn.stop === "out" && hand.winner === position;
    const badge = next ? "next" : won ? "out" : "";
    const dealer = position === hand.players.length - 1;
    const seat = el("div", `rp-seat${next ? " rp-next" : ""}${won ? " rp-won" : ""}`,
      el("div", "rp-who", name(hand.players[position]), dealer ? el("span", "rp-dealer", "dealer") : null,
        badge ? el("span", "rp-badge", badge) : null, drawChips(hand, state, position)),
      drawHand(state, position));
    seat.setAttribute("role", "group");
    seat.setAttribute("aria-label", hand.players[position]);
    seat.dataset.who = `player ${position}`;
    return seat;
  }

  function drawHand(state, position) {
    const cards = state.hands[position];
    const unknown = state.counts[position] - cards.length;
    const suits = [..."cdhs"].map((suit) => cards.filter((card) => card[1] === suit)).filter((suit) => suit.length);
    const may = (card) => (state.turn.may.has(card) ? "rp-may" : "");
    const groups = suits.map((suit) => el("span", "rp-suit", ...suit.map((card) => cardFace(card, may(card)))));
    if (unknown > 0) groups.push(el("span", "rp-back", String(unknown)));
    const box = el("div", "rp-hand", ...groups);
    box.setAttribute("aria-hidden", "true");
    const held = cards.map((card) => spoken(card) + (state.turn.may.has(card) ? ", may be played" : ""));
    if (unknown > 0) held.push(`${unknown} not known`);
    const count = `${state.counts[position]} ${state.counts[position] === 1 ? "card" : "cards"}`;
    const words = held.length ? `${count}: ${held.join("; ")}` : "no cards";
    return el("div", "rp-held", el("span", "rp-hidden", words), box);
  }

  function drawChips(hand, state, position) {
    const ply = state.laid.length;
    const who = hand.players[position];
    const before = hand.before[position];
    const won = hands.wonBy(hand, who, paidUntil(hand, ply));
    const change = hands.wonBy(hand, who, paidAt(hand, ply));
    const after = hand.after[position];
    const written = state.end && before !== null && after !== null && after !== before + won;
    if (before === null && !hand.payments.length) return null;
    const amount = before === null ? plus(won) : String(before + won);
    const what = before === null ? "chips won in this hand: " : "chips: ";
    return el("span", "rp-chips", el("span", "rp-chip"), el("span", "rp-hidden", what), amount,
      change ? el("span", change > 0 ? "rp-plus" : "rp-minus", ` ${plus(change)}`) : null,
      written ? el("span", "rp-written", ` written ${after}`) : null);
  }

  function drawPayments(hand, ply) {
    const groups = new Map();
    for (const payment of paidAt(hand, ply)) {
      const [kind, , payee, owed, recorded] = payment;
      const key = JSON.stringify([kind, payee]);
      if (owed || recorded) groups.set(key, [...(groups.get(key) ?? []), payment]);
    }
    return [...groups.values()].map((payments) => {
      const [[kind, , payee]] = payments;
      const shares = payments.flatMap((payment, index) => [index ? ", " : "", ...share(payment)]);
      return el("li", "", `${KINDS[kind]}: `, ...shares, " → ", payee === null ? "the pot" : name(payee));
    });
  }

  function share([, payer, , owed, recorded]) {
    const differs = recorded !== null && recorded !== owed;
    const amount = differs ? el("span", "rp-differs", `${owed} (written: ${recorded})`) : String(owed);
    return [payer === null ? "the pot" : name(payer), " ", amount];
  }

  function drawRuns(hand, state) {
    const last = state.turn.stop === "out" || state.end ? hand.runs.length : state.last?.run ?? 0;
    return hand.runs.slice(0, last).map((run, index) => {
      const plays = playsOf(hand).filter((play) => play.run === index);
      const words = [];
      let by = -1;
      for (const play of plays) {
        if (play.by !== by) words.push(words.length ? ", " : "", name(hand.players[play.by]));
        by = play.by;
        const card = inLine(play.card, play.standsFor);
        if (hands.fault(hand, play.ply)) card.classList.add("rp-wrong");
        words.push(" ", card);
      }
      return el("li", "", ...words, run.stop ? el("span", "rp-stop", STOPS[run.stop]) : null);
    });
  }

  function drawFindings(hand, ply) {
    return hand.findings.map(([code, severity, message, line, where]) => {
      const item = el("li", severity === "error" ? "rp-error" : "rp-warning", el("b", "", code), ` ${message} `);
      if (where !== null) {
        const link = el("a", "", `ply ${where}`);
        link.href = addressOf(at.session, at.hand, where);
        item.append(link);
      } else item.append(el("span", "rp-soft", `line ${line}`));
      if (where === ply && where !== null) item.setAttribute("aria-current", "true");
      return item;
    });
  }

  function placeSeat(seat, index, count) {
    // Clockwise from the top left: over the top to the right, and back along the bottom.
    const top = Math.ceil(count / 2);
    const row = index < top ? 1 : 3;
    const inRow = row === 1 ? top : count - top;
    const column = row === 1 ? index : count - 1 - index;
    const span = 6 / inRow;
    seat.style.gridArea = `${row} / ${column * span + 1} / ${row + 1} / span ${span}`;
    return seat;
  }

  function drawTable(hand, state) {
    const order = hand.players.map((_, position) => position).sort((a, b) => hand.seats[a] - hand.seats[b]);
    const seats = order.map((position, index) => placeSeat(drawSeat(hand, state, position), index, order.length));
    ui.table.replaceChildren(drawFelt(hand, state), ...seats);
  }

  function whyNot(hand) {
    if (hand.state === "void") return `Hand ${hand.hand} is void: it does not count, and no card of it is kept.`;
    return `Hand ${hand.hand} cannot be stepped through: it could not be replayed as it is written.`;
  }

  function drawSaid(hand, state) {
    const wrong = hand.findings.filter((finding) => state && finding[4] === at.ply && at.ply);
    const text = state ? hands.sentences(hand, state) : whyNot(hand);
    ui.said.replaceChildren(text, ...wrong.map(([code, , message]) => el("span", "rp-wrong", ` ${code}: ${message}.`)));
  }

  function draw(forward = false) {
    const hand = currentHand();
    const playable = hand.turns.length > 0;
    const state = playable ? stateAt(hand, at.ply) : null;
    ui.about.replaceChildren(...aboutHand(hand));
    ui.root.classList.toggle("rp-none", !playable);
    drawSaid(hand, state);
    drawSteps(hand);
    ui.findings.replaceChildren(...drawFindings(hand, at.ply));
    ui.wrong.hidden = !hand.findings.length;
    if (!playable) return;
    drawTable(hand, state);
    ui.payments.replaceChildren(...drawPayments(hand, at.ply));
    ui.runs.replaceChildren(...drawRuns(hand, state));
    ui.runsTitle.hidden = !ui.runs.children.length;
    if (forward && !still.matches) moveChips(hand);
  }

  function aboutHand(hand) {
    const session = sessions[at.session];
    const where = [session.date, session.place, hand.time].filter(Boolean).join(" · ");
    const legal = flagOf(hand);
    const parts = [el("b", "", name(session.session), `, hand ${hand.hand}`)];
    if (where) parts.push(el("span", "rp-soft", where));
    if (legal) parts.push(el("span", "rp-flag", legal));
    return parts;
  }

  function drawSteps(hand) {
    const plies = playsOf(hand).length;
    ui.slider.max = plies;
    ui.slider.value = at.ply;
    ui.slider.disabled = !plies;
    ui.slider.setAttribute("aria-valuetext", `ply ${at.ply} of ${plies}`);
    ui.count.textContent = `${at.ply} / ${plies}`;
    for (const key of ["first", "prev"]) dim(ui[key], at.ply === 0);
    for (const key of ["next", "last"]) dim(ui[key], at.ply === plies);
  }

  // A button that can do nothing now keeps the focus, which `disabled` would take from it.
  function dim(button, nothing) {
    button.setAttribute("aria-disabled", String(nothing));
  }

  function drawTicks(hand) {
    const plies = playsOf(hand).length || 1;
    const marks = playsOf(hand).filter((play) => play.opens).map((play) => [play.ply, "rp-opens"]);
    if (hand.comet) marks.push([hand.comet.ply, "rp-gold"]);
    marks.push(...hand.findings.filter((finding) => finding[4] !== null).map((finding) => [finding[4], "rp-bad"]));
    ui.ticks.replaceChildren(...marks.map(([ply, kind]) => {
      const tick = el("span", kind);
      tick.style.setProperty("--at", ply / plies);
      return tick;
    }));
  }

  // Chips on their way

  function moveChips(hand) {
    for (const [, payer, payee, owed] of paidAt(hand, at.ply)) {
      const [from, to] = [payer, payee].map((who) => middleOf(hand, who));
      if (owed && from && to) fly(from, to);
    }
  }

  function middleOf(hand, who) {
    const target = who === null ? "pot" : `player ${hand.players.indexOf(who)}`;
    const found = ui.table.querySelector(`[data-who="${target}"] .rp-chip`);
    if (!found) return null;
    const [box, table] = [found.getBoundingClientRect(), ui.table.getBoundingClientRect()];
    return [box.left - table.left, box.top - table.top];
  }

  function fly(from, to) {
    const chip = el("span", "rp-chip rp-flying");
    chip.setAttribute("aria-hidden", "true");
    ui.table.append(chip);
    const frames = [from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    chip.animate(frames, { duration: 600, easing: "ease-in-out" }).onfinish = () => chip.remove();
  }

  // Going from ply to ply and from hand to hand

  function go(ply) {
    const plies = playsOf(currentHand()).length;
    const to = Math.min(Math.max(ply, 0), plies);
    const forward = to === at.ply + 1;
    if (to === at.ply) return;
    at.ply = to;
    tell("");
    draw(forward);
    keepAddress();
  }

  function open(session, hand, ply = 0) {
    if (session !== at.session || !ui.hand.options.length) fillHands(session);
    Object.assign(at, { session, hand, ply });
    ui.session.value = String(session);
    ui.hand.value = String(hand);
    drawTicks(currentHand());
    draw();
  }

  function choose(session, hand) {
    const chosen = sessions[session];
    if (!chosen?.hands[hand]) return;
    tell("");
    open(session, hand);
    keepAddress();
  }

  function byHand(step) {
    choose(at.session, at.hand + step);
  }

  function fillHands(session) {
    const label = (hand) => [`Hand ${hand.hand}`, flagOf(hand)].filter(Boolean).join(" · ");
    ui.hand.replaceChildren(...sessions[session].hands.map((hand, index) => new Option(label(hand), String(index))));
  }

  function flagOf(hand) {
    if (hand.state !== "played") return { void: "void", unread: "not readable", unfinished: "unfinished" }[hand.state];
    return { false: "not legal", null: "not wholly checked" }[hand.legal] ?? "";
  }

  // The address: #session/hand/ply

  function addressOf(session, hand, ply) {
    const chosen = sessions[session];
    return `#${encodeURIComponent(chosen.session)}/${chosen.hands[hand].hand}/${ply}`;
  }

  function keepAddress() {
    clearTimeout(clock);
    clock = setTimeout(() => history.replaceState(null, "", addressOf(at.session, at.hand, at.ply)), CLOCK);
  }

  function fromAddress() {
    const hash = location.hash.slice(1);
    if (!hash.includes("/")) return false; // another part of the page
    clearTimeout(clock);
    const [ident, number, ply = "0", ...more] = hash.split("/");
    const session = sessions.findIndex((each) => each.session === decoded(ident));
    if (session < 0) return missing(`There is no session “${decoded(ident)}” to step through here.`);
    const there = sessions[session].hands;
    const hand = number === "" ? 0 : there.findIndex((each) => String(each.hand) === number);
    if (hand < 0) return missing(`Session “${decoded(ident)}” has no hand “${decoded(number)}”.`);
    const plies = playsOf(there[hand]).length;
    if (more.length || !/^\d+$/.test(ply) || Number(ply) > plies) {
      open(session, hand);
      const asked = decoded([ply, ...more].join("/"));
      return missing(`Hand ${there[hand].hand} has plies 0 to ${plies}, and not “${asked}”; here is its deal.`);
    }
    tell("");
    open(session, hand, Number(ply));
    return true;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function missing(text) {
    tell(text);
    return true;
  }

  function tell(text) {
    ui.note.textContent = text;
  }

  function follow() {
    if (!fromAddress()) return;
    section.scrollIntoView({ behavior: "instant" });
    ui.slider.focus({ preventScroll: true });
  }

  // A link to where the address is already is no change of it, and yet means to go there.
  function onClick(event) {
    const link = event.target.closest("a");
    if (link?.hash && link.hash === location.hash) follow();
  }

  // Keys

  const KEYS = {
    ArrowLeft: () => go(at.ply - 1),
    ArrowRight: () => go(at.ply + 1),
    Home: () => go(0),
    End: () => go(Infinity),
    ArrowUp: () => byHand(-1),
    PageUp: () => byHand(-1),
    ArrowDown: () => byHand(1),
    PageDown: () => byHand(1),
  };

  function onKey(event) {
    const target = event.target;
    const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    if (!plain || event.defaultPrevented || !(event.key in KEYS)) return;
    if (target !== document.body && !root.contains(target)) return;
    if (target instanceof HTMLSelectElement) return;
    // From the page itself they step only where the table is seen, and the keys that scroll go on scrolling.
    if (target === document.body && (/Up|Down/.test(event.key) || !inSight())) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  function inSight() {
    const box = ui.table.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  }

  // The frame

  function icon(path) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
  }

  function button(key, label, act) {
    const made = el("button", "rp-step", icon(ICONS[key]));
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    ui[key] = made;
    return made;
  }

  function chooser(key, label, onChange) {
    ui[key] = el("select", "");
    ui[key].addEventListener("change", onChange);
    ui[key].id = `rp-${key}`;
    const caption = el("label", "", label);
    caption.htmlFor = ui[key].id;
    return el("span", "rp-choose", caption, ui[key]);
  }

  function buildSteps() {
    ui.slider = el("input", "");
    Object.assign(ui.slider, { type: "range", min: 0, step: 1 });
    ui.slider.setAttribute("aria-label", "Ply");
    ui.slider.addEventListener("input", () => go(Number(ui.slider.value)));
    ui.ticks = el("span", "rp-ticks");
    ui.ticks.setAttribute("aria-hidden", "true");
    ui.count = el("span", "rp-count");
    return el("div", "rp-steps",
      button("first", "First ply", KEYS.Home), button("prev", "Previous ply", KEYS.ArrowLeft),
      button("next", "Next ply", KEYS.ArrowRight), button("last", "Last ply", KEYS.End),
      el("span", "rp-slide", ui.slider, ui.ticks), ui.count);
  }

  function build() {
    const choosers = el("div", "rp-choosers",
      chooser("session", "Session", () => choose(Number(ui.session.value), 0)),
      chooser("hand", "Hand", () => choose(at.session, Number(ui.hand.value))));
    for (const key of ["about", "said", "note", "runsTitle"]) ui[key] = el("p", `rp-${key}`);
    for (const key of ["payments", "findings"]) ui[key] = el("ul", `rp-${key}`);
    ui.runs = el("ol", "rp-runs");
    ui.table = el("div", "rp-table");
    ui.said.setAttribute("aria-live", "polite");
    ui.note.setAttribute("role", "status");
    ui.table.setAttribute("role", "group");
    ui.table.setAttribute("aria-label", "The table");
    ui.runsTitle.textContent = "Runs so far";
    ui.wrong = el("div", "rp-wrongs", el("p", "rp-runsTitle", "What was found in this hand"), ui.findings);
    const keys = el("p", "rp-keys rp-soft", "Keys: ← → one ply, Home and End the ends, ↑ ↓ another hand.");
    ui.root = el("div", "rp", choosers, ui.note, ui.about, ui.said, ui.table, buildSteps(), ui.payments, ui.wrong,
      el("div", "rp-list", ui.runsTitle, ui.runs), keys);
    const nights = sessions.map(({ session, date }) => (date ? `${said(session)} · ${date}` : session));
    ui.session.replaceChildren(...nights.map((night, index) => new Option(night, String(index))));
    root.replaceChildren(ui.root);
  }

  function start() {
    const first = sessions.findIndex((session) => session.hands.length);
    if (first < 0) return;
    build();
    open(first, 0);
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick);
    addEventListener("hashchange", follow);
    follow();
  }

  start();
})();
