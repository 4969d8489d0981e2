/** The end of a call that ran against both sides, as a part of the counts. Pure. */
import type { DispatchReport } from "@quarterdeck/hooks";
import { pathOf } from "@quarterdeck/hooks/contract/problem";
import { familyOf } from "./command-family.ts";
import type { ReplayRow } from "./replay-row.ts";
import { bucketOf, shortName } from "./tally.ts";
import { EMPTY_TALLY, type Tally, type UnknownReason } from "./tally-schema.ts";
import type { Contender, Sides, Tried } from "./try-call.ts";

export interface Flip {
  readonly id: string;
  readonly family: string;
  readonly rule: string;
  readonly from: "none" | "allow" | "ask" | "deny";
  readonly to: "none" | "allow" | "ask" | "deny";
  readonly isLooser: boolean;
}

export interface CallEnd {
  readonly part: Tally;
  readonly flip: Flip | null;
}

export function endOf(tried: Tried, notes: ReadonlySet<UnknownReason>, row: ReplayRow): CallEnd {
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
export function caughtOf(
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
