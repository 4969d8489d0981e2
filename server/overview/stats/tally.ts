/** Adds up counts and sums of one session, or of all sessions, as rows arrive. */
import { formatUsd } from "../../recording/index.ts";
import { type Decimal, decimalOf, plus, ZERO } from "./decimal.ts";
import type { CallSums, CompactionRow, DecisionCount, EventCount } from "./repository.ts";
import type { Block, SessionStats } from "./schema.ts";

type Counts = Record<string, number>;
type Money = { calls: number; nano: bigint; exact: Decimal };
const TOKENS = [
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
] as const;
const CALL_COUNTS = ["calls", "priced", "free", "unpriced", "without_usage"] as const;

/** The events counted by their subtype, and the map for each. */
const DETAILED = {
  turn_end: "turn_ends",
  session_start: "session_starts",
  session_end: "session_ends",
  notification: "notifications",
} as const;

/** A plain object that takes any key, `__proto__` too: session and tool names come from agents. */
const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>; // null's prototype has no keys

export class Tally {
  readonly #events = empty<number>();
  #eventCount = 0;
  readonly #tools = empty<Counts>();
  readonly #toolTotals = empty<number>();
  readonly #decisions = empty<Counts>();
  readonly #details = {
    turn_ends: empty<number>(),
    session_starts: empty<number>(),
    session_ends: empty<number>(),
    notifications: empty<number>(),
  };
  readonly #callCounts = { calls: 0, priced: 0, free: 0, unpriced: 0, without_usage: 0 };
  readonly #tokens = {
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    cached_write_tokens: 0,
    reasoning_tokens: 0,
  };
  readonly models = empty<Money>();
  readonly agents = empty<Money>();
  readonly #compactions = empty<{ count: number; tokens_before: number }>();
  readonly compactionList: SessionStats["compaction_list"] = [];
  nano = 0n;
  exact: Decimal = ZERO;

  get calls(): number {
    return this.#callCounts.calls;
  }

  get events(): Counts {
    return this.#events;
  }

  addEvents({ event, tool, failed, detail, count }: EventCount): void {
    add(this.#events, event, count);
    this.#eventCount += count;
    if (event in DETAILED) add(this.#details[DETAILED[event as keyof typeof DETAILED]], detail, count); // by the test before
    if (event === "permission_request") this.#addTool(tool, "prompted", count);
    if (event === "post_tool_use") {
      this.#addTool(tool, "completed", count);
      if (failed) this.#addTool(tool, "failed", count);
    }
    if (event === "tool_response_transform" && failed) this.#addTool(tool, "refused", count);
  }

  addDecisions({ tool, verdict, source, count }: DecisionCount): void {
    this.#decisions[verdict] ??= empty<number>();
    add(this.#decisions[verdict], source, count);
    this.#addTool(tool, "decided", count);
    if (["allow", "deny", "canceled"].includes(verdict)) this.#addTool(tool, verdict, count);
  }

  addCalls(sums: CallSums): void {
    for (const name of CALL_COUNTS) this.#callCounts[name] += sums[name];
    for (const name of TOKENS) this.#tokens[name] += sums[name];
    const money: Money = { calls: sums.calls, nano: BigInt(sums.nano), exact: decimalOf(sums.usd) };
    addMoney(this.models, sums.model, money);
    addMoney(this.agents, sums.agent, money);
    this.nano += money.nano;
    this.exact = plus(this.exact, money.exact);
  }

  addCompaction(row: CompactionRow): void {
    const { reason, input_tokens, output_tokens, context_limit, summary_bytes } = row;
    const tokens_before = input_tokens + output_tokens;
    const sums = this.#compactions[reason] ?? { count: 0, tokens_before: 0 };
    this.#compactions[reason] = sums;
    sums.count += 1;
    sums.tokens_before += tokens_before;
    this.compactionList.push({ reason, input_tokens, output_tokens, tokens_before, context_limit, summary_bytes });
  }

  block(): Block {
    return {
      events: this.#events,
      event_count: this.#eventCount,
      tool_calls: this.#tools,
      tool_call_totals: this.#toolTotals,
      decisions: this.#decisions,
      ledger: {
        ...this.#callCounts,
        usd: formatUsd(this.nano),
        tokens: this.#tokens,
        by_model: moneyView(this.models),
        by_agent: moneyView(this.agents),
      },
      compactions: this.#compactions,
      ...this.#details,
    };
  }

  #addTool(tool: string, what: string, count: number): void {
    this.#tools[tool] ??= empty<number>();
    add(this.#tools[tool], what, count);
    add(this.#toolTotals, what, count);
  }
}

function add(into: Counts, key: string, count: number): void {
  into[key] = (into[key] ?? 0) + count;
}

function addMoney(into: Record<string, Money>, key: string, more: Money): void {
  const known = into[key];
  into[key] = known
    ? { calls: known.calls + more.calls, nano: known.nano + more.nano, exact: plus(known.exact, more.exact) }
    : more;
}

function moneyView(by: Record<string, Money>): Block["ledger"]["by_model"] {
  return Object.fromEntries(Object.entries(by).map(([key, { calls, nano }]) => [key, { calls, usd: formatUsd(nano) }]));
}
