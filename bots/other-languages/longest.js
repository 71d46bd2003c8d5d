#!/usr/bin/env node
// Longest: a bot in JavaScript, with nothing but Node. It plays SCOUT and De store oppdagere.
//
// SCOUT: the play with the most cards, else the first scout. De store oppdagere: builds on an
// expedition by the smallest step, else discards the highest card, and draws from the stock.
// Protocol 1 is described in docs/protocol.md: one JSON object a line, answers repeat the id.

"use strict";

const readline = require("node:readline");

const PICTURES_AND_ACE = { A: 1, J: 0, Q: 0, K: 0 };

function valueOf(card) {
  const rank = card.slice(0, -1);
  return PICTURES_AND_ACE[rank] ?? Number(rank);
}

/** Returns the one of a list that measures least; of equals the first. */
function least(list, measure) {
  return list.reduce((best, one) => (measure(one) < measure(best) ? one : best));
}

function chooseInScout(legal) {
  const plays = legal.filter((action) => action.do === "play");
  return plays.length > 0 ? least(plays, (action) => -action.count) : legal[0];
}

function chooseInExplorers(view, legal) {
  const builds = legal.filter((action) => action.do === "build");
  if (builds.length > 0) {
    const expeditions = view.expeditions[view.seat];
    return least(builds, (action) => valueOf(action.card) - valueOf(expeditions[action.expedition].at(-1)));
  }
  const starts = legal.filter((action) => action.do === "start");
  if (starts.length > 0 && view.expeditions[view.seat].length < 2) {
    return least(starts, (action) => valueOf(action.card));
  }
  const discards = legal.filter((action) => action.do === "discard");
  return discards.length > 0 ? least(discards, (action) => -valueOf(action.card)) : legal[0];
}

function answerTo(request) {
  switch (request.type) {
    case "hello":
      return { type: "ready", id: request.id, version: "1", games: ["scout", "explorers"] };
    case "start":
      return { type: "ok", id: request.id };
    case "act": {
      const { view, legal } = request;
      const action = view.game === "scout" ? chooseInScout(legal) : chooseInExplorers(view, legal);
      return { type: "action", id: request.id, action };
    }
    default:
      return null; // `end` has no answer, and what we do not know we ignore
  }
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const request = JSON.parse(line);
  if (request.type === "quit") {
    process.exit(0);
  }
  const answer = answerTo(request);
  if (answer !== null) {
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
});
lines.on("close", () => process.exit(0));
