/**
 * The events that a session's events imply, and the implied ones that are missing. Pure, and a function of the set of
 * rows: events of the same millisecond have no order, so the result does not depend on the order of recording.
 *
 * Only gaps between recorded events can be found. A turn without any event at the start or the end of a run is not
 * found, nor is a run without any event.
 */

/** The only events that say something here. */
export const GAP_EVENTS = [
  "turn_start",
  "turn_end",
  "before_llm_call",
  "after_llm_call",
  "pre_tool_use",
  "permission_request",
  "on_tool_approval_decision",
  "tool_response_transform",
  "post_tool_use",
] as const;

export interface SessionEventRow {
  readonly atMs: number;
  readonly event: string;
  readonly toolUseId: string | null;
  /** The reason of a `turn_end`, the iteration of a `before_llm_call`. */
  readonly detail: string | null;
}

export interface Gaps {
  readonly turns: number;
  readonly turnStarts: number;
  readonly turnEnds: number;
  readonly turnsWithoutEnd: number;
  readonly turnsWithoutStart: number;
  readonly calls: number;
  readonly answers: number;
  readonly callsWithoutAnswer: number;
  readonly toolCalls: number;
  readonly toolDecisions: number;
  readonly toolResults: number;
  readonly toolsWithoutDecision: number;
  readonly toolsWithoutResult: number;
  readonly iterationsSkipped: number;
  /** Open parts of a session that is still active: not a gap until it is silent. */
  readonly underWay: number;
}

/**
 * A session that is silent for this long counts as inactive: its open parts will not end, or their end was not
 * reported.
 */
export const SILENCE_MS = 10 * 60_000;
/** A greater number from an agent is ignored. */
const ITERATION_MAX = 100_000;

/** `isActive`: an event of the session arrived less than `SILENCE_MS` ago, so its open parts are still in progress. */
export function gapsOf(rows: readonly SessionEventRow[], isActive: boolean): Gaps {
  const turns = turnsOf(rows, isActive);
  const calls = callsOf(rows, isActive);
  const tools = toolsOf(rows, isActive);
  return {
    ...turns.counts,
    ...calls.counts,
    ...tools.counts,
    iterationsSkipped: iterationsSkipped(rows),
    underWay: turns.underWay + calls.underWay + tools.underWay,
  };
}

interface Moment {
  readonly [event: string]: number;
}

/** The count of each event, millisecond by millisecond; `turn_end` of a turn that broke off counts as `broken` too. */
function* moments(rows: readonly SessionEventRow[]): Generator<Moment> {
  const inOrder = rows.toSorted((a, b) => a.atMs - b.atMs);
  let moment: Record<string, number> = {};
  let atMs = Number.NaN;
  for (const row of inOrder) {
    if (row.atMs !== atMs && !Number.isNaN(atMs)) {
      yield moment;
      moment = {};
    }
    atMs = row.atMs;
    moment[row.event] = (moment[row.event] ?? 0) + 1;
    if (row.event === "turn_end" && (row.detail === "error" || row.detail === "canceled"))
      moment.broken = (moment.broken ?? 0) + 1;
  }
  if (!Number.isNaN(atMs)) yield moment;
}

/** Turns of a session follow each other: a start while one is open means that its end was lost. */
function turnsOf(rows: readonly SessionEventRow[], isActive: boolean) {
  let [starts, ends, withoutEnd, withoutStart] = [0, 0, 0, 0];
  let isOpen = false;
  for (const { turn_start: started = 0, turn_end: ended = 0 } of moments(rows)) {
    starts += started;
    ends += ended;
    const closing = isOpen && ended > 0 ? 1 : 0;
    if (closing) isOpen = false;
    const whole = Math.min(started, ended - closing);
    withoutStart += ended - closing - whole;
    const left = started - whole;
    if (left > 0) {
      withoutEnd += left - 1 + (isOpen ? 1 : 0);
      isOpen = true;
    }
  }
  const underWay = isOpen && isActive ? 1 : 0;
  return {
    underWay,
    counts: {
      turns: starts + withoutStart,
      turnStarts: starts,
      turnEnds: ends,
      turnsWithoutEnd: withoutEnd + (isOpen && !isActive ? 1 : 0),
      turnsWithoutStart: withoutStart,
    },
  };
}

/** A model call ends with its answer; an interrupted turn explains a missing answer. */
function callsOf(rows: readonly SessionEventRow[], isActive: boolean) {
  let [calls, answers, withoutAnswer] = [0, 0, 0];
  let isOpen = false;
  for (const moment of moments(rows)) {
    const { before_llm_call: asked = 0, after_llm_call: answered = 0, broken = 0 } = moment;
    const isBoundary = (moment.turn_start ?? 0) + (moment.turn_end ?? 0) > 0;
    calls += asked;
    answers += answered;
    let free = answered;
    if (isOpen && free > 0) {
      free -= 1;
      isOpen = false;
    } else if (isOpen && (asked > 0 || isBoundary)) {
      if (broken === 0) withoutAnswer += 1;
      isOpen = false;
    }
    const left = asked - Math.min(asked, free);
    if (left > 0) {
      withoutAnswer += left - 1;
      isOpen = true;
    }
  }
  const underWay = isOpen && isActive ? 1 : 0;
  const counts = { calls, answers, callsWithoutAnswer: withoutAnswer + (isOpen && !isActive ? 1 : 0) };
  return { underWay, counts };
}

interface Call {
  isAsked: boolean;
  isDecided: boolean;
  hasResult: boolean;
  lastMs: number;
}

/** Tool calls by their id. A response alone is not a gap: an unknown tool is refused without a decision. */
function toolsOf(rows: readonly SessionEventRow[], isActive: boolean) {
  const byId = new Map<string, Call>();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { event, toolUseId, atMs } of rows) {
    if (atMs > lastMs) lastMs = atMs;
    if (toolUseId === null) continue;
    const call = byId.get(toolUseId) ?? { isAsked: false, isDecided: false, hasResult: false, lastMs: atMs };
    byId.set(toolUseId, call);
    if (event === "pre_tool_use" || event === "permission_request" || event === "post_tool_use") call.isAsked = true;
    if (event === "on_tool_approval_decision") call.isDecided = true;
    if (event === "post_tool_use" || event === "tool_response_transform") call.hasResult = true;
    call.lastMs = Math.max(call.lastMs, atMs);
  }
  let [toolCalls, toolDecisions, toolResults, toolsWithoutDecision, toolsWithoutResult, underWay] = [0, 0, 0, 0, 0, 0];
  for (const call of byId.values()) {
    if (!call.isAsked && !call.isDecided) continue;
    toolCalls += 1;
    if (call.isDecided) toolDecisions += 1;
    if (call.hasResult) toolResults += 1;
    const isFresh = isActive && !call.hasResult && lastMs - call.lastMs < SILENCE_MS;
    if (isFresh) underWay += 1;
    else if (!call.isDecided) toolsWithoutDecision += 1;
    else if (!call.hasResult) toolsWithoutResult += 1;
  }
  const counts = { toolCalls, toolDecisions, toolResults, toolsWithoutDecision, toolsWithoutResult };
  return { underWay, counts };
}

/**
 * Each run counts its model calls from 1. A number that skips ahead, or a first number above 1, gives the number of
 * missing calls before it. Events lost at the end of a run leave no trace and are not counted.
 */
function iterationsSkipped(rows: readonly SessionEventRow[]): number {
  const heard = rows
    .flatMap(({ event, detail, atMs }) =>
      event === "before_llm_call" && /^\d{1,6}$/.test(detail ?? "") ? [{ atMs, iteration: Number(detail) }] : [],
    )
    .filter(({ iteration }) => iteration >= 1 && iteration <= ITERATION_MAX)
    .toSorted((a, b) => a.atMs - b.atMs || a.iteration - b.iteration);
  let [last, skipped] = [0, 0];
  for (const { iteration } of heard) {
    skipped += iteration > last ? iteration - last - 1 : iteration - 1;
    last = iteration;
  }
  return skipped;
}
