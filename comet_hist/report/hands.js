"use strict";
// A hand at a ply, and what is said of it. It lays cards and adds chips up; what the rules say of the next play (whose
// card it is, who may open, what may be played) stands in the data, as the head of turns.py tells.
const hands = (() => {
  const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "10" };
  const COMET = "9d"; // G7

  // Cards: two letters, rank and suit

  function cardsOf(text) {
    return text.match(/../g) ?? [];
  }

  function listOf(text) {
    return text ? text.split(" ") : [];
  }

  function rank(card) {
    return card[0] === "T" ? "10" : card[0];
  }

  function sign(card) {
    return `${SIGNS[card[1]]}\uFE0E`; // as a letter, not as a picture
  }

  function signed(card) {
    return rank(card) + SIGNS[card[1]];
  }

  function isRed(card) {
    return "dh".includes(card[1]);
  }

  function spoken(card) {
    return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
  }

  function or(texts) {
    return texts.join(" or ");
  }

  function said(text) {
    return `\u2068${text}\u2069`; // a name in a sentence, whichever way it is written
  }

  // Plays, and the table after them

  function playsOf(hand) {
    if (hand.plays) return hand.plays;
    hand.plays = [];
    hand.runs.forEach((run, index) => {
      cardsOf(run.cards).forEach((card, nth) => {
        const ply = hand.plays.length + 1;
        const comet = hand.comet?.ply === ply ? { standsFor: hand.comet.for, use: hand.comet.use } : null;
        hand.plays.push({ ply, run: index, by: Number(run.by[nth]) - 1, card, opens: nth === 0, ...comet });
      });
    });
    return hand.plays;
  }

  function turnAt(hand, ply) {
    const [needs, stop, openers, may, unplaced] = hand.turns[ply].split("|");
    return {
      needs: listOf(needs),
      stop,
      openers: [...openers].map((digit) => Number(digit) - 1),
      may: new Set(listOf(may).map((card) => card.slice(0, 2))),
      cometFor: listOf(may).filter((card) => card.includes("=")).map((card) => card.slice(3)),
      unplaced: listOf(unplaced),
    };
  }

  function stateAt(hand, ply) {
    const laid = playsOf(hand).slice(0, ply);
    const hands = hand.deals.map((deal, position) => {
      const gone = new Set(laid.filter((play) => play.by === position).map((play) => play.card));
      return cardsOf(deal).filter((card) => !gone.has(card));
    });
    const counts = hand.sizes.map((size, position) => size - laid.filter((play) => play.by === position).length);
    return { hands, counts, laid, last: laid.at(-1), turn: turnAt(hand, ply), end: ply === playsOf(hand).length };
  }

  function holderOf(state, card) {
    return state.hands.findIndex((cards) => cards.includes(card));
  }

  function nextPlayers(state) {
    if (state.turn.stop === "out") return [];
    const holders = state.turn.needs.map((card) => holderOf(state, card)).filter((position) => position >= 0);
    return [...new Set([...holders, ...state.turn.openers])];
  }

  // Chips (C1 to C4): the ante before the deal, the Comet when it is played, the rest when somebody has gone out.

  function plyOf(hand, kind) {
    if (kind === "ante") return 0;
    return kind === "comet" && hand.comet ? hand.comet.ply : playsOf(hand).length;
  }

  function paidAt(hand, ply) {
    return hand.payments.filter(([kind]) => plyOf(hand, kind) === ply);
  }

  function wonBy(hand, who, payments) {
    return payments.reduce((sum, [, payer, payee, owed]) => sum + (payee === who) * owed - (payer === who) * owed, 0);
  }

  function paidUntil(hand, ply) {
    return hand.payments.filter(([kind]) => plyOf(hand, kind) <= ply);
  }

  function plus(amount) {
    return amount > 0 ? `+${amount}` : String(amount).replace("-", "−");
  }

  // Words: what has happened at a ply, and what comes next.

  function sentences(hand, state) {
    const who = (position) => said(hand.players[position]);
    const play = state.last;
    const parts = [play ? `${playedWords(hand, state, who)}.` : "The cards are dealt."];
    parts.push(...nextWords(hand, state, who));
    if (state.end && state.turn.stop !== "out") parts.push("The record ends here, and nobody has gone out.");
    return parts.join(" ");
  }

  function playedWords(hand, state, who) {
    const { by, card, opens, standsFor, use, ply } = state.last;
    const start = `Ply ${ply} of ${playsOf(hand).length}: ${who(by)}`;
    if (card !== COMET) return `${start} ${opens ? "opens with" : "plays"} ${signed(card)}`;
    if (!standsFor) return `${start} leads the Comet as 9♦`;
    const holder = holderOf(state, standsFor);
    const held = { rescue: ", which nobody held", own: ", which they held too" }[use] ?? "";
    const preempted = use === "preempt" && holder >= 0 ? `, which ${who(holder)} holds` : "";
    return `${start} plays the Comet for ${signed(standsFor)}${held}${preempted}`;
  }

  function nextWords(hand, state, who) {
    const { needs, stop, openers, cometFor } = state.turn;
    if (stop === "out") return [`${who(hand.winner ?? state.last.by)} has gone out: the hand is over.`];
    const due = needs.filter((card) => holderOf(state, card) >= 0 || !stop);
    const parts = due.map((card) => neededWords(state, card, who));
    if (stop) parts.push(`${stopWords(state, stop)}: the run stops.`);
    if (openers.length) parts.push(`${or(openers.map(who))} opens the ${state.last ? "next" : "first"} run.`);
    const comet = holderOf(state, COMET);
    if (cometFor.length && comet >= 0) parts.push(`${who(comet)} may play the Comet for ${or(cometFor.map(signed))}.`);
    return parts;
  }

  function neededWords(state, card, who) {
    const holder = holderOf(state, card);
    return `${holder >= 0 ? who(holder) : "Whoever"} has ${signed(card)} and must play it.`;
  }

  function stopWords(state, stop) {
    const missing = state.turn.needs.filter((card) => holderOf(state, card) < 0);
    if (stop === "king" || !missing.length) return "A king";
    const verb = missing.length > 1 ? "lie" : "lies";
    return `${missing.map(signed).join(" and ")} ${stop === "gap" ? "is the gap" : `${verb} on the table already`}`;
  }

  function fault(hand, ply) {
    return hand.findings.some(([code, , , , where]) => where === ply && code.startsWith("E4"));
  }

  const cards = { COMET, rank, sign, signed, spoken, isRed };
  return { ...cards, said, playsOf, stateAt, nextPlayers, paidAt, paidUntil, wonBy, plus, sentences, fault };
})();
