/** The task of a backtest that runs on a worker thread: one chunk of recorded calls against two sets of policies. */
import { type DispatchReport, REDACTED } from "@quarterdeck/hooks";
import { pathOf } from "@quarterdeck/hooks/contract/problem";
import { LRUCache } from "lru-cache";
import { type PastException, pastLifter } from "../exceptions/index.ts";
import {
  type Asked,
  type AskedCall,
  askChanged,
  type ChangedHooks,
  changedHooks,
  createCallReader,
} from "./changed-hooks.ts";
import { familyOf } from "./command-family.ts";
import { type RecordedCall, selectHooksByLane } from "./reach.ts";
import { type ReplaySet, replayContender, replayKinds, whyUnknown } from "./replay-hooks.ts";
import { bucketOf, createTally, shortName } from "./tally.ts";
import { EMPTY_TALLY, type Tally, type UnknownReason } from "./tally-schema.ts";
import { type Contender, type Sides, type Tried, tryCall } from "./try-call.ts";

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

export interface ReplayRow extends RecordedCall {
  readonly id: string;
  readonly atMs: number;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  /** Null once it is erased. */
  readonly input: string | null;
  /** The marks of its session, each with the latest instant, in milliseconds since 1970. */
  readonly marks: Readonly<Record<string, number>>;
}

export interface Flip {
  readonly id: string;
  readonly family: string;
  readonly rule: string;
  readonly from: "none" | "allow" | "ask" | "deny";
  readonly to: "none" | "allow" | "ask" | "deny";
  readonly isLooser: boolean;
}

export interface ReplayedChunk {
  readonly tally: Tally;
  readonly flips: readonly Flip[];
}

export async function replay({
  setup,
  rows,
}: {
  readonly setup: ReplaySetup;
  readonly rows: readonly ReplayRow[];
}): Promise<ReplayedChunk> {
  const run = runOf(setup);
  const tally = createTally();
  const flips: Flip[] = [];
  for (const row of rows) {
    const { part, flip } = await replayRow(run, row);
    tally.add(part);
    if (flip) flips.push(flip);
  }
  return { tally: tally.counts(), flips };
}

interface Run {
  readonly setup: ReplaySetup;
  readonly contenderOf: (set: string) => Contender;
  /** Null where every hook of the agent matters. */
  readonly changedOf: (agent: ReplayAgent) => ChangedHooks | null;
  readonly readCall: (asked: AskedCall) => Promise<void>;
  /** The call that runs now; calls run one after the other. */
  now: { readonly row: ReplayRow; readonly notes: Set<UnknownReason> } | null;
}

const runs = new LRUCache<string, Run>({ max: 4 });

function runOf(setup: ReplaySetup): Run {
  const known = runs.get(setup.key);
  if (known) return known;
  const kinds = replayKinds({ ages: async (_call, asked) => agesOf(run, asked), set: async () => undefined });
  const setOf = (name: string): ReplaySet => {
    const set = setup.sets[name];
    if (!set) throw new Error("a set of policies is not part of the setup");
    return set;
  };
  const changedIn = memoized((pair) => {
    const [live = "", next = ""]: string[] = JSON.parse(pair);
    return changedHooks(setOf(live), setOf(next), kinds.failure);
  });
  const run: Run = {
    ...{ setup, now: null, readCall: createCallReader(kinds.nothing) },
    contenderOf: memoized((name) => replayContender(setOf(name), kinds.nothing)),
    // A mark that is set in another way changes the answers of shared hooks that ask for it.
    changedOf: ({ inForce, candidate }) =>
      setup.changedMarks.length > 0 ? null : changedIn(JSON.stringify([inForce, candidate])),
  };
  runs.set(setup.key, run);
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
function agesOf({ setup, now }: Run, asked: readonly string[]): ReadonlyMap<string, number> {
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

interface Replayed {
  readonly part: Tally;
  readonly flip: Flip | null;
}

async function replayRow(run: Run, row: ReplayRow): Promise<Replayed> {
  const agent = Object.hasOwn(run.setup.agents, row.agentId) ? run.setup.agents[row.agentId] : undefined;
  if (!agent) return { part: { ...EMPTY_TALLY, unknown: { removed_agent: 1 } }, flip: null };
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
    whyNotRun: whyUnknown,
    gone: "erased" satisfies UnknownReason,
    around: (input) => ({
      asker,
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
  return { part: { ...part, ...reads, newRules }, flip };
}

/** Asks the changed hooks of both sides; null where every hook matters. If both have rules, neither has the time of the reading. */
async function askBoth(
  run: Run,
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

function endOf(tried: Tried, notes: ReadonlySet<UnknownReason>, row: ReplayRow): Replayed {
  const { sides } = tried;
  const addedUs = sides === null ? 0 : (sides.is.durationMs - sides.was.durationMs) * 1_000;
  const base = { ...EMPTY_TALLY, addedUs: { [bucketOf(addedUs)]: 1 } };
  const [note] = notes;
  if (tried.kind === "unknown")
    return { part: { ...base, unknown: { [tried.why.includes(" ") ? "busy" : tried.why]: 1 } }, flip: null };
  if (note !== undefined) return { part: { ...base, unknown: { [note]: 1 } }, flip: null };
  if (tried.kind === "unchanged") return { part: { ...base, unchanged: 1 }, flip: null };
  const { from, to } = tried;
  const direction = directionOf(tried);
  const decisive = direction === "looser" ? tried.sides.was : tried.sides.is;
  const flip = { id: row.id, family: familyOf(tried.sides.input), rule: ruleOf(decisive), from, to };
  return { part: { ...base, [direction]: 1 }, flip: { ...flip, isLooser: direction === "looser" } };
}

/** An approval skips the client's own question, so it is looser than no verdict. */
const STRICTNESS = { allow: 0, none: 1, ask: 2, deny: 3 } as const;

function directionOf({ from, to, sides }: Extract<Tried, { kind: "changed" }>): "looser" | "stricter" | "otherwise" {
  if (from !== to) return STRICTNESS[to] < STRICTNESS[from] ? "looser" : "stricter";
  const rewrote = ({ result }: DispatchReport) =>
    result.modified_input ?? result.updated_messages ?? result.updated_tool_response ?? null;
  // A part that was rewritten before, such as a secret, now passes unchanged.
  return rewrote(sides.was) !== null && rewrote(sides.is) === null ? "looser" : "otherwise";
}

const WEIGHT = { deny: 5, block: 5, failed: 4, ask: 3, rewrite: 2, allow: 1 } as const;

/** The policy and the hook that decided most. */
function ruleOf({ hooks }: DispatchReport): string {
  const weightOf = ({ said, blocked }: DispatchReport["hooks"][number]) =>
    (blocked ? 10 : 0) + (said in WEIGHT ? WEIGHT[said as keyof typeof WEIGHT] : 0); // holds: it is a key
  const [first] = [...hooks].sort((a, b) => weightOf(b) - weightOf(a));
  return first && weightOf(first) > 0 ? labelOf(first) : "";
}

const labelOf = ({ origin, name }: Pick<DispatchReport["hooks"][number], "origin" | "name">): string =>
  shortName(origin.policy ? `${origin.policy}: ${name}` : name);

/** The hooks of the candidate that are not in force and that stopped, asked or rewrote because of their changed part. */
function caughtOf(
  live: Contender,
  next: Contender,
  { sides, answered }: { readonly sides: Sides | null; readonly answered: ReadonlySet<string> | null },
  agent: string,
): Tally["newRules"] {
  if (sides === null) return {};
  const added = addedHooks(live, next);
  const isAdded = (key: string) => added.has(key) && (answered === null || answered.has(key));
  const caught = sides.is.hooks.filter(
    ({ said, blocked, path, origin }) =>
      (blocked || said === "ask" || said === "rewrite" || said === "deny") && isAdded(`${origin.policyId} ${path}`),
  );
  return Object.fromEntries(caught.map((hook) => [labelOf(hook), { caught: 1, agents: { [agent]: 1 } }]));
}

const addedByPair = new WeakMap<Contender, WeakMap<Contender, ReadonlySet<string>>>();

/** The policy and path of each hook that only `next` has. */
function addedHooks(live: Contender, next: Contender): ReadonlySet<string> {
  const byNext = addedByPair.get(live) ?? new WeakMap<Contender, ReadonlySet<string>>();
  addedByPair.set(live, byNext);
  const known = byNext.get(next);
  if (known) return known;
  const inForce = new Set(live.guards.map(({ identity }) => identity));
  const added = next.guards
    .filter(({ identity }) => !inForce.has(identity))
    .map(({ identity, place }) => `${identity.split(" ", 1)[0]} ${pathOf(["hooks", ...place])}`);
  const found = new Set(added);
  byNext.set(next, found);
  return found;
}
