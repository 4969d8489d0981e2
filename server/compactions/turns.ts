/** A session's events around a compaction, cut into turns: what came long before, its last turns, and the next ones. */

export interface SessionEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly event: string;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
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

/** Both lists in time order. A turn begins with `turn_start`; without such events, each model call ends a turn. */
export function splitIntoTurns(before: readonly SessionEvent[], after: readonly SessionEvent[]): Turns {
  const isTold = [...before, ...after].some(({ event }) => event === "turn_start");
  const starts = (events: readonly SessionEvent[]) =>
    events.flatMap(({ event }, at) =>
      isTold ? (event === "turn_start" ? [at] : []) : event === "after_llm_call" ? [at] : [],
    );
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

/** A tool call, reported by up to four events under one id. */
export interface ToolCall {
  /** The event whose input holds the arguments: the shortest one that was reported. */
  readonly id: string;
  readonly tool: string;
  readonly isFinished: boolean;
  readonly isFailed: boolean;
}

const TELLS_INPUT = ["on_tool_approval_decision", "pre_tool_use", "permission_request", "post_tool_use"];

/**
 * The calls of these events in the order they began. Without a `tool_use_id`, only finished calls can be distinguished.
 */
export function callsOf(events: readonly SessionEvent[]): ToolCall[] {
  const calls = new Map<string, { id: string; tool: string; rank: number; isFinished: boolean; isFailed: boolean }>();
  for (const { id, event, tool, toolUseId, toolError } of events) {
    const rank = TELLS_INPUT.indexOf(event);
    const isFinished = event === "post_tool_use";
    if (tool === null || rank < 0 || (toolUseId === null && !isFinished)) continue;
    const key = toolUseId === null ? id : ` ${toolUseId}`;
    const call = calls.get(key) ?? { id, tool, rank, isFinished: false, isFailed: false };
    if (rank < call.rank) Object.assign(call, { id, rank });
    call.isFinished ||= isFinished;
    call.isFailed ||= isFinished && toolError === true;
    calls.set(key, call);
  }
  return [...calls.values()];
}

const PROMPTS = new Set<string>(["user_prompt_submit", "user_followup_submit", "user_steering_messages_submit"]);
export const isPromptEvent = ({ event }: SessionEvent): boolean => PROMPTS.has(event);
