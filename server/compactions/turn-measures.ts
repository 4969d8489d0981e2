/** Counts of an agent's work over some turns, each with its total. Pure. */

import type { Measures } from "./schema.ts";
import {
  argumentsOf,
  callFingerprint,
  type Input,
  isFileReadTool,
  isQuestionTool,
  normaliseQuestion,
  pathsOf,
  promptsOf,
  questionOf,
} from "./stored-input.ts";
import { callsOf, isPromptEvent, type SessionEvent, type ToolCall, type Turns } from "./turns.ts";

/** The same call for the third time within ten turns is a loop. */
const LOOP_FROM = 3;
/** Fewer turns say nothing. */
export const TURNS_MIN = 3;

/** An event's input by its id; null when it cannot be read. */
export type InputById = ReadonlyMap<string, Input | null>;

const INPUTS_MAX = 600;

/** The events whose inputs `measureTurns` wants, the newest first kept when there are too many. */
export function listInputsToRead({ history, baseline, next }: Turns): string[] {
  const prompts = (events: readonly SessionEvent[]) => events.filter(isPromptEvent).map(({ id }) => id);
  const calls = (events: readonly SessionEvent[]) => callsOf(events).map(({ id }) => id);
  const old = callsOf(history).filter(({ tool }) => isFileReadTool(tool) || isQuestionTool(tool));
  const near = baseline.flat();
  const wanted = [...calls(next), ...prompts(next), ...prompts(near), ...calls(near).reverse()];
  return [...wanted, ...prompts(history), ...old.map(({ id }) => id).reverse()].slice(0, INPUTS_MAX);
}

/** The turns before and the turns after. */
export function measureTurns(turns: Turns, inputs: InputById): { before: Measures; after: Measures } {
  const seen: Seen = { files: new Set(), questions: new Set() };
  count(turns.history, inputs, seen);
  const chunks = turns.baseline.map((chunk) => count(chunk, inputs, seen));
  const before = chunks.reduce(sum, ZERO_MEASURES);
  const after = count(turns.next, inputs, seen);
  return { before: { ...before, turns: turns.baselineTurns }, after: { ...after, turns: turns.nextTurns } };
}

export const ZERO_MEASURES: Measures = {
  turns: 0,
  calls: 0,
  loops: 0,
  denied: 0,
  finished: 0,
  failed: 0,
  errors: 0,
  prompts: 0,
  repeats: 0,
  reads: 0,
  rereads: 0,
};

function sum(a: Measures, b: Measures): Measures {
  // Holds: both have exactly the members of Measures, and all are numbers.
  return Object.fromEntries(
    Object.entries(a).map(([name, count]) => [name, count + b[name as keyof Measures]]),
  ) as unknown as Measures;
}

interface Seen {
  readonly files: Set<string>;
  readonly questions: Set<string>;
}

function count(events: readonly SessionEvent[], inputs: InputById, seen: Seen): Measures {
  const calls = callsOf(events);
  const own = {
    ...ZERO_MEASURES,
    calls: calls.length,
    errors: events.filter(({ event }) => event === "on_error").length,
  };
  own.finished = calls.filter(({ isFinished }) => isFinished).length;
  own.failed = calls.filter(({ isFailed }) => isFailed).length;
  own.denied = calls.filter(({ isDenied }) => isDenied).length;
  own.loops = loopsIn(calls, inputs);
  for (const { id, tool } of calls) {
    if (!isFileReadTool(tool)) continue;
    for (const path of pathsOf(argumentsOf(inputs.get(id) ?? null))) {
      own.reads += 1;
      if (seen.files.has(path)) own.rereads += 1;
      seen.files.add(path);
    }
  }
  for (const question of questionsIn(events, calls, inputs)) {
    own.prompts += 1;
    const same = normaliseQuestion(question);
    if (same === null) continue;
    if (seen.questions.has(same)) own.repeats += 1;
    seen.questions.add(same);
  }
  return own;
}

function loopsIn(calls: readonly ToolCall[], inputs: InputById): number {
  const times = new Map<string, number>();
  let loops = 0;
  for (const { id, tool } of calls) {
    const args = argumentsOf(inputs.get(id) ?? null);
    if (args === null) continue;
    const key = callFingerprint(tool, args);
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    if (nth >= LOOP_FROM) loops += 1;
  }
  return loops;
}

/** The questions that people asked the agent, and those that the agent asked them. */
function questionsIn(events: readonly SessionEvent[], calls: readonly ToolCall[], inputs: InputById): string[] {
  const asked = events.filter(isPromptEvent).flatMap(({ id }) => promptsOf(inputs.get(id) ?? null));
  const asking = calls
    .filter(({ tool }) => isQuestionTool(tool))
    .map(({ id }) => questionOf(argumentsOf(inputs.get(id) ?? null)))
    .filter((question) => question !== null);
  return [...asked, ...asking];
}

/**
 * Counts that show trouble, the count that each is a share of, and the minimum that counts. Repeated reading is
 * expected.
 */
const TROUBLES = [
  ["denied", "calls", 1],
  ["failed", "finished", 2],
  ["errors", "turns", 1],
  ["loops", "calls", 1],
  ["repeats", "prompts", 1],
] as const satisfies readonly (readonly [keyof Measures, keyof Measures, number])[];

/** The troubles that were more frequent than before, by the name of their count. */
export function findIncreasedTroubles(before: Measures, after: Measures): (keyof Measures)[] {
  return TROUBLES.flatMap(([what, of, from]) =>
    after[what] >= from && after[what] * Math.max(before[of], 1) > before[what] * after[of] ? [what] : [],
  );
}

/** Null when too few turns followed. */
export const hasMoreTroubles = (before: Measures, after: Measures): boolean | null =>
  after.turns < TURNS_MIN ? null : findIncreasedTroubles(before, after).length > 0;
