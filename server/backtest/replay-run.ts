/** One recorded call against two sets of policies. Runs are compiled once and used for all calls. */
import { type HandlerKind, REDACTED } from "@quarterdeck/hooks";
import { type PastException, pastLifter } from "../exceptions/index.ts";
import {
  type Asked,
  type AskedCall,
  askChanged,
  type ChangedHooks,
  changedHooks,
  createCallReader,
} from "./changed-hooks.ts";
import { selectHooksByLane } from "./reach.ts";
import { type ExecutorPlace, type ReplaySet, replayContender, replayKinds, whyUnknown } from "./replay-hooks.ts";
import type { ReplayRow } from "./replay-row.ts";
import { type CallEnd, caughtOf, endOf } from "./row-end.ts";
import { shortName } from "./tally.ts";
import { EMPTY_TALLY, type UnknownReason } from "./tally-schema.ts";
import { type Contender, type Tried, tryCall } from "./try-call.ts";

export interface ReplayAgent {
  readonly name: string;
  readonly tags: readonly string[];
  /** Keys of `sets`. */
  readonly inForce: string;
  readonly candidate: string;
}

/** Everything that the chunks of a run share. */
export interface ReplaySetup {
  /** Equal for equal setups: a thread compiles them once. */
  readonly key: string;
  readonly sets: Readonly<Record<string, ReplaySet>>;
  readonly agents: Readonly<Record<string, ReplayAgent>>;
  readonly exceptions: readonly PastException[];
  /** Marks that the text sets in another way than the policies in force. */
  readonly changedMarks: readonly string[];
  /** The time before which no mark is kept, in milliseconds since 1970. */
  readonly marksFromMs: number;
}

/** The hooks that a sample runs, in addition to those that depend only on the call. */
export interface SampledHooks {
  readonly kinds: readonly HandlerKind[];
  readonly place: ExecutorPlace;
  /** The reason why a hook is left out; null when it runs. */
  readonly whyUnknown: typeof whyUnknown;
}

export interface ReplayRun {
  readonly setup: ReplaySetup;
  readonly whyUnknown: typeof whyUnknown;
  readonly contenderOf: (set: string) => Contender;
  /** Null where every hook of the agent matters. */
  readonly changedOf: (agent: ReplayAgent) => ChangedHooks | null;
  readonly readCall: (asked: AskedCall) => Promise<void>;
  /** The call that runs now; calls run one after the other. */
  now: { readonly row: ReplayRow; readonly notes: Set<UnknownReason> } | null;
}

/** With `sampled`, every hook of a call runs, so that its end is known. */
export function createReplayRun(setup: ReplaySetup, sampled: SampledHooks | null = null): ReplayRun {
  const why = sampled?.whyUnknown ?? whyUnknown;
  const marks = {
    ages: async (_call: unknown, asked: readonly string[]) => agesOf(run, asked),
    set: async () => undefined,
  };
  const kinds = replayKinds(marks, { whyUnknown: why, kinds: sampled?.kinds ?? [] });
  const setOf = (name: string): ReplaySet => {
    const set = setup.sets[name];
    if (!set) throw new Error("a set of policies is not part of the setup");
    return set;
  };
  const changedIn = memoized((pair) => {
    const [live = "", next = ""]: string[] = JSON.parse(pair);
    return changedHooks(setOf(live), setOf(next), kinds.failure);
  });
  const run: ReplayRun = {
    ...{ setup, whyUnknown: why, now: null, readCall: createCallReader(kinds.nothing) },
    contenderOf: memoized((name) => replayContender(setOf(name), kinds.nothing, sampled?.place)),
    // A mark that is set in another way changes the answers of shared hooks that ask for it.
    changedOf: ({ inForce, candidate }) =>
      sampled !== null || setup.changedMarks.length > 0 ? null : changedIn(JSON.stringify([inForce, candidate])),
  };
  return run;
}

function memoized<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** The marks that the session had when the call was made; where that is not kept, it is noted. */
function agesOf({ setup, now }: ReplayRun, asked: readonly string[]): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  if (!now) return ages;
  for (const mark of asked) {
    const setAtMs = now.row.marks[mark];
    if (setAtMs !== undefined && setAtMs <= now.row.atMs) ages.set(mark, (now.row.atMs - setAtMs) / 1_000);
    else if (setAtMs !== undefined || now.row.atMs < setup.marksFromMs) now.notes.add("marks");
    if (setup.changedMarks.includes(mark)) now.notes.add("marks");
  }
  return ages;
}

export interface ReplayedRow extends CallEnd {
  /** Null for a call of a removed agent. */
  readonly tried: Tried | null;
}

/** `signal` ends the hooks that run. */
export async function replayRow(run: ReplayRun, row: ReplayRow, signal?: AbortSignal): Promise<ReplayedRow> {
  const agent = Object.hasOwn(run.setup.agents, row.agentId) ? run.setup.agents[row.agentId] : undefined;
  if (!agent) return { part: { ...EMPTY_TALLY, unknown: { removed_agent: 1 } }, flip: null, tried: null };
  const [live, next] = [run.contenderOf(agent.inForce), run.contenderOf(agent.candidate)];
  const notes = new Set<UnknownReason>();
  run.now = { row, notes };
  const asker = { agent: row.agentId, name: agent.name, tags: agent.tags, request: null };
  const exceptions = run.setup.exceptions.filter(({ fromMs, untilMs }) => fromMs <= row.atMs && row.atMs < untilMs);
  const asked: { changed: readonly [was: Asked, is: Asked] | null } = { changed: null };
  const tried = await tryCall(live, next, {
    row,
    textOf: async () => row.input,
    async ruleOut(input) {
      const changed = await askBoth(run, agent, { row, input, asker });
      asked.changed = changed;
      // An exception names the hook with all of its rules, so it may lift the verdict of an unchanged rule on one side.
      if (changed === null || exceptions.length > 0) return null;
      const [was, is] = changed;
      return was.answered.size + is.answered.size === 0 ? { wasMs: was.durationMs, isMs: is.durationMs } : null;
    },
    whyNotRun: run.whyUnknown,
    gone: "erased" satisfies UnknownReason,
    around: (input) => ({
      asker,
      ...(signal && { signal }),
      liftVerdict: pastLifter(exceptions, { agentId: row.agentId, atMs: row.atMs, input }, () =>
        notes.add("approvers"),
      ),
    }),
  });
  const reads = readingOf(live, next, row);
  if (tried.sides !== null && row.input?.includes(REDACTED) === true) notes.add("masked");
  const { part, flip } = endOf(tried, notes, row);
  const newRules = caughtOf(
    live,
    next,
    { sides: tried.sides, answered: asked.changed?.[1].answered ?? null },
    agent.name,
  );
  return { part: { ...part, ...reads, newRules }, flip, tried };
}

/** Asks the changed hooks of both sides; null where every hook matters. If both have rules, neither has the time of the reading. */
async function askBoth(
  run: ReplayRun,
  agent: ReplayAgent,
  asked: AskedCall,
): Promise<readonly [was: Asked, is: Asked] | null> {
  const hasRules = (set: string) =>
    selectHooksByLane(run.contenderOf(set), asked.row).some(({ guards }) =>
      guards.some(({ hook }) => hook.type === "rules"),
    );
  if (hasRules(agent.inForce) && hasRules(agent.candidate)) await run.readCall(asked);
  const changed = run.changedOf(agent);
  if (changed === null) return null;
  return [await askChanged(changed.live, asked), await askChanged(changed.next, asked)];
}

/** The number of questions to judges on either side; `unread` is 1 if no hook of the candidate reads the call. */
function readingOf(live: Contender, next: Contender, row: ReplayRow) {
  const [inForce, candidate] = [judgesOf(live, row), judgesOf(next, row)];
  const addedByModel: Record<string, number> = {};
  for (const model of candidate) addedByModel[model] = (addedByModel[model] ?? 0) + 1;
  for (const model of inForce) addedByModel[model] = (addedByModel[model] ?? 0) - 1;
  const isRead = selectHooksByLane(next, row).some(({ guards }) => guards.length > 0);
  return {
    judgeQuestions: { inForce: inForce.length, candidate: candidate.length, addedByModel },
    unread: isRead ? 0 : 1,
    unreadByTool: isRead ? {} : { [shortName(row.tool_name ?? "")]: 1 },
  };
}

/** The models of the judges that the call selects. */
const judgesOf = (side: Contender, row: ReplayRow): string[] =>
  selectHooksByLane(side, row).flatMap(({ guards }) =>
    guards.flatMap(({ hook }) => (whyUnknown(hook) === "judge" ? [shortName(hook.model ?? "")] : [])),
  );
