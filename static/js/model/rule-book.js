/**
 * What the page says of each rule, as playground/lint/book.py tells it. Made by viewing.js out of the page; panes ask.
 *
 * @typedef {{says: string, expected: string, clients: string, links: [text: string, address: string][]}} RuleText
 * @typedef {{rules: Record<string, RuleText>, thresholds: [string, number, string][], address: string, count?: number}} RuleBookText `count`:
 *   how many rules there are, where not all are told
 */

/** A rule of a newer server than this page. @type {RuleText} */
const UNTOLD = { says: "This page does not know the rule; load it again.", expected: "", clients: "", links: [] };

export class RuleBook {
  /** @param {Partial<RuleBookText>} text */
  constructor({ rules = {}, thresholds = [], address = "", count } = {}) {
    this.rules = rules;
    this.thresholds = thresholds;
    /** The page of rules, "" where there is none. */
    this.address = address;
    /** How many rules look at a stream. */
    this.size = count ?? Object.keys(rules).length;
  }

  /** @param {string} rule */
  of(rule) {
    return this.rules[rule] ?? UNTOLD;
  }

  /** The address of a rule on the page of rules, "" where there is none. @param {string} rule */
  addressOf(rule) {
    return this.address && `${this.address}#${rule}`;
  }
}
