/** A session's events around a compaction, cut into turns: what came long before, its last turns, and the next ones. */

export interface SessionEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly event: string;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  /** The gate's verdict; "none" without one. */
  readonly verdict: string;
}

/** The events that a window consists of; others say nothing about the progress of the work. */
export const WINDOW_EVENTS = [
  "turn_start",
  "turn_end",
  "after_llm_call",
  "session_end",
  "on_error",
  "user_prompt_submit",
  "user_followup_submit",
  "user_steering_messages_submit",
  "pre_tool_use",
  "permission_request",
  "on_tool_approval_decision",
  "post_tool_use",
] as const;

/** Turns before a compaction that its baseline is made of. */
export const BASELINE_TURNS = 50;
export const NEXT_TURNS = 10;

export interface Turns {
  /** Events before the baseline: used only to recognise repetition. */
  readonly history: readonly SessionEvent[];
  /** In chunks of ten turns, the oldest first, counted back from the compaction. */
  readonly baseline: readonly (readonly SessionEvent[])[];
  readonly baselineTurns: number;
  readonly next: readonly SessionEvent[];
  readonly nextTurns: number;
  /** True if the tenth turn of `next` is over. */
  readonly isFull: boolean;
  /** True if the session's last event is its end. */
  readonly isEnded: boolean;
}

/** Both lists in time order; `findTurns` says what a turn is. */
export function splitIntoTurns(before: readonly SessionEvent[], after: readonly SessionEvent[]): Turns {
  const starts = findTurns([...before, ...after]);
  const earlier = starts(before);
  const own = earlier.slice(-BASELINE_TURNS);
  const baseline: SessionEvent[][] = [];
  let end = before.length;
  for (let first = own.length; first > 0; first -= NEXT_TURNS) {
    const from = own[Math.max(0, first - NEXT_TURNS)] ?? 0;
    baseline.unshift(before.slice(from, end));
    end = from;
  }
  const later = starts(after);
  const eleventh = later[NEXT_TURNS];
  const next = after.slice(0, eleventh);
  const tenth = later[NEXT_TURNS - 1];
  const isOver = tenth !== undefined && after.some(({ event }, at) => at > tenth && event === "turn_end");
  const last = after.at(-1) ?? before.at(-1);
  return {
    history: before.slice(0, own[0] ?? before.length),
    baseline,
    baselineTurns: own.length,
    next,
    nextTurns: Math.min(later.length, NEXT_TURNS),
    isFull: eleventh !== undefined || isOver,
    isEnded: last?.event === "session_end",
  };
}

/**
 * Finds the turns in lists of the session's events, as indexes. A turn begins with `turn_start`; without such events, each
 * model call ends a turn. For a client that reports neither, each tool call is a turn: its first event begins it.
 */
function findTurns(all: readonly SessionEvent[]): (events: readonly SessionEvent[]) => number[] {
  const reported = new Set(all.map(({ event }) => event));
  const mark = ["turn_start", "after_llm_call"].find((event) => reported.has(event));
  const firstIds = new Set(mark === undefined ? firstEventsOfCalls(all) : []);
  return (events) =>
    events.flatMap(({ id, event }, at) => ((mark === undefined ? firstIds.has(id) : event === mark) ? [at] : []));
}

/** The id of the first event of each tool call. */
function firstEventsOfCalls(events: readonly SessionEvent[]): string[] {
  const idByCall = new Map<string, string>();
  for (const event of events) {
    const key = callKey(event);
    if (key !== null && !idByCall.has(key)) idByCall.set(key, event.id);
  }
  return [...idByCall.values()];
}

/** A tool call, reported by up to four events under one id. */
export interface ToolCall {
  /** The event whose input holds the arguments: the shortest one that was reported. */
  readonly id: string;
  readonly tool: string;
  readonly isFinished: boolean;
  readonly isFailed: boolean;
  readonly isDenied: boolean;
}

const TELLS_INPUT = ["on_tool_approval_decision", "pre_tool_use", "permission_request", "post_tool_use"];

/**
 * The calls of these events in the order they began. Without a `tool_use_id`, only finished calls can be distinguished.
 */
export function callsOf(events: readonly SessionEvent[]): ToolCall[] {
  const calls = new Map<string, Writable<ToolCall> & { rank: number }>();
  for (const one of events) {
    const { id, event, tool, toolError, verdict } = one;
    const key = callKey(one);
    if (tool === null || key === null) continue;
    const rank = TELLS_INPUT.indexOf(event);
    const isFinished = event === "post_tool_use";
    const call = calls.get(key) ?? { id, tool, rank, isFinished: false, isFailed: false, isDenied: false };
    if (rank < call.rank) Object.assign(call, { id, rank });
    call.isFinished ||= isFinished;
    call.isFailed ||= isFinished && toolError === true;
    call.isDenied ||= !isFinished && verdict === "deny";
    calls.set(key, call);
  }
  return [...calls.values()];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Equal for the events of one tool call; null for an event that reports none. */
function callKey({ id, event, tool, toolUseId }: SessionEvent): string | null {
  if (tool === null || !TELLS_INPUT.includes(event)) return null;
  if (toolUseId !== null) return ` ${toolUseId}`;
  return event === "post_tool_use" ? id : null;
}

const PROMPTS = new Set<string>(["user_prompt_submit", "user_followup_submit", "user_steering_messages_submit"]);
export const isPromptEvent = ({ event }: SessionEvent): boolean => PROMPTS.has(event);
