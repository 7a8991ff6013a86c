/**
 * <player-bar>: plays a session, steps through it, and says where it stands. Made by <stream-stage>, which gives it a
 * session and draws it.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { drawIcon, makeIcon } from "../drawing/icons.js";
import { Scrubber } from "../drawing/scrubber.js";
import { onThemeChange } from "../drawing/theme-change.js";
import { clockTime, count } from "../model/figures.js";
import { drawNext } from "../model/frames.js";
import { GAP_CAP, SPEEDS } from "../model/player.js";

const CAPPED = "player.capped";
/** Share of the whole that Page Up and Page Down go. */
const PAGE = 0.1;

/** @typedef {import("../model/player.js").Player} Player */

export class PlayerBar extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/session.js").SessionModel | null} */
    this.session = null;
    this.redraw = () => this.draw();
    this.forgetTheme = () => {};
    this.scrubber = new Scrubber((place) => this.#player?.seek(place));
    this.resized = new ResizeObserver(() => {
      this.scrubber.measure();
      drawNext(this.redraw);
    });
    this.sign = makeIcon("play");
    this.toggle = this.#button("", "", (player) => player.toggle());
    this.start = this.#button("start", "To the start · Home", (player) => player.toStart());
    this.back = this.#button("back", "One row back · ←", (player) => player.step(-1));
    this.forward = this.#button("forward", "One row on · →", (player) => player.step(1));
    this.end = this.#button("end", "To the end · End", (player) => player.toEnd());
    this.live = makeButton("quiet player-live", "live", () => this.#player?.toEnd());
    this.now = make("b");
    this.total = make("span");
    this.where = make("span", "player-where", this.now, this.total);
    this.unknown = make("span", "player-unknown", "times unknown");
    this.speed = make("select", "player-speed");
    this.markers = /** @type {import("./marker-list.js").MarkerList} */ (document.createElement("marker-list"));
    this.cap = makeButton("quiet follow", `gaps ≤ ${GAP_CAP / 1e6} s`, () => this.#setCapped(!this.#player?.capped));
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
  }

  get #player() {
    return this.session?.player;
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.resized.observe(this.scrubber.element);
    this.forgetTheme = onThemeChange(() => {
      this.scrubber.repaint();
      drawNext(this.redraw);
    });
  }

  disconnectedCallback() {
    this.resized.disconnect();
    this.forgetTheme();
  }

  #build() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Player");
    this.toggle.replaceChildren(this.sign);
    this.toggle.classList.add("player-toggle");
    this.unknown.title = "This recording has no times: it goes row by row.";
    this.live.title = "Follow what comes · End";
    this.speed.setAttribute("aria-label", "Speed");
    for (const speed of SPEEDS) {
      const option = make("option", "", speed === Infinity ? "at once" : `${speed}×`);
      option.value = String(speed);
      this.speed.append(option);
    }
    this.speed.addEventListener("change", () => this.#player?.setSpeed(Number(this.speed.value)));
    this.cap.setAttribute("role", "switch");
    this.cap.title = `Play gaps over ${GAP_CAP / 1e6} s as if they were ${GAP_CAP / 1e6} s`;
    const { element } = this.scrubber;
    element.addEventListener("keydown", (event) => this.#pressed(event));
    this.append(
      make("div", "player-buttons", this.start, this.back, this.toggle, this.forward, this.end, this.live),
      this.where,
      element,
      make("div", "player-ways", this.unknown, this.speed, this.cap, this.markers),
    );
  }

  /**
   * @param {import("../drawing/icons.js").IconName | ""} icon
   * @param {string} title
   * @param {(player: Player) => void} act
   */
  #button(icon, title, act) {
    const button = makeButton("quiet player-button", "", () => this.#player && act(this.#player));
    if (icon) button.append(makeIcon(icon));
    button.title = title;
    button.setAttribute("aria-label", title.split(" · ")[0]);
    return button;
  }

  /** @param {boolean} capped */
  #setCapped(capped) {
    if (capped) localStorage.removeItem(CAPPED);
    else localStorage.setItem(CAPPED, "off");
    this.#player?.setCapped(capped);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const player = this.#player;
    if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => player.step(-1),
      ArrowDown: () => player.step(-1),
      ArrowRight: () => player.step(1),
      ArrowUp: () => player.step(1),
      PageUp: () => player.seek(player.time + player.total * PAGE),
      PageDown: () => player.seek(player.time - player.total * PAGE),
      Home: () => player.toStart(),
      End: () => player.toEnd(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Put a session into it. @param {import("../model/session.js").SessionModel | null} session */
  show(session) {
    this.session = this.markers.session = session;
    if (session) session.player.capped = localStorage.getItem(CAPPED) !== "off";
    this.scrubber.repaint();
    drawNext(this.redraw);
  }

  draw() {
    const { session } = this;
    reveal(this, session !== null && session.lanes.some((lane) => lane.rows.length > 0));
    if (!session || this.hidden) return;
    const { player } = session;
    const { timed, following, time } = player;
    const moves = player.playing || (following && session.running);
    drawIcon(this.sign, moves ? "pause" : "play");
    const word = moves ? "Pause" : "Play";
    if (this.toggle.ariaLabel !== word) this.toggle.ariaLabel = word;
    this.toggle.title = timed ? `${word} · Space` : "Times are unknown: step by row";
    this.toggle.disabled = !timed && !moves;
    for (const button of [this.start, this.back]) button.disabled = !following && time === 0 && !player.row;
    this.forward.disabled = following;
    this.end.disabled = following;
    reveal(this.end, !session.running);
    reveal(this.live, session.running);
    this.live.setAttribute("aria-pressed", String(following));
    this.#drawWhere(player);
    reveal(this.unknown, !timed);
    reveal(this.speed, timed);
    reveal(this.cap, timed);
    if (this.speed.value !== String(player.speed)) this.speed.value = String(player.speed);
    this.cap.setAttribute("aria-checked", String(player.capped));
    const place = this.reduced.matches && player.playing ? player.axis.before(time) || 0 : time;
    this.scrubber.draw(player.axis, place, this.#marks(session));
    this.markers.draw();
  }

  /**
   * Where people noted something, and where something is wrong.
   * @param {import("../model/session.js").SessionModel} session
   */
  #marks({ lanes, markers, player }) {
    /** @type {import("../drawing/scrubber.js").ScrubberMark[]} */
    const marks = [];
    for (const [lane, { findings }] of lanes.entries()) {
      for (const { rule, severity, rows } of findings.list) {
        if (severity === "info" || rows.length === 0) continue;
        const row = rows.at(0);
        marks.push({ place: player.axis.placeOf(lane, row), tone: severity, title: `${rule} · row ${count(row + 1)}` });
      }
    }
    for (const marker of markers.list) {
      const row = markers.rowOf(marker);
      const title = `${marker.note} · row ${count(row + 1)}`;
      if (row >= 0) marks.push({ place: player.axis.placeOf(marker.lane, row), tone: "marker", title });
    }
    return marks;
  }

  /** @param {Player} player */
  #drawWhere({ timed, time, total }) {
    const now = timed ? clockTime(time) : `row ${count(Math.floor(time))}`;
    const all = timed ? `${clockTime(total)} s` : count(total);
    write(this.now, now);
    write(this.total, ` ${timed ? "/" : "of"} ${all}`);
    this.where.style.setProperty("--wide", `${2 * all.length + 1}ch`);
    const { element } = this.scrubber;
    element.setAttribute("aria-valuemax", String(Math.round(total)));
    element.setAttribute("aria-valuenow", String(Math.round(time)));
    element.setAttribute("aria-valuetext", `${now}${timed ? " s" : ""} of ${all}`);
  }
}

customElements.define("player-bar", PlayerBar);
