/** The check that entries, given in order, hold together: numbers without gaps, each hash made of the one before. */
import { z } from "zod";
import { auditTargetOf } from "./audit-target.ts";
import { CHAIN_VERSION, type ChainedEntry, entryHashOf, FIRST_HASH } from "./chain.ts";
import type { Drawers, Finding } from "./findings.ts";

/** Bad entries that are remembered, to see whether two of them changed places; between ranges only short ones. */
const REMEMBERED_MAX = 64;
const REMEMBERED_CHARACTERS_MAX = 65_536;

const text = z.string().nullable();
const chainedEntry = z.strictObject({
  workspace: z.string(),
  seq: z.number(),
  at: z.string(),
  chain: z.number(),
  actor: z.strictObject({ id: z.string(), kind: z.string(), name: z.string() }).nullable(),
  from: z.strictObject({ ip: text, userAgent: text }).nullable(),
  kind: z.string(),
  target: text,
  body: z.string(),
  changes: text,
  hash: z.string(),
}) satisfies z.ZodType<ChainedEntry>;

/** The check between two ranges. A finding is its place among those kept. */
export const chainState = z.strictObject({
  expected: z.number().int(),
  links: z.array(z.string()).max(2),
  last: z.strictObject({ seq: z.number() }).nullable(),
  good: z.strictObject({ seq: z.number(), chain: z.number(), at: z.string() }).nullable(),
  lastBad: z.number().int().nullable(),
  bad: z
    .array(z.strictObject({ entry: chainedEntry, previous: z.string(), finding: z.number().int() }))
    .max(REMEMBERED_MAX),
  count: z.number().int(),
  oldRule: z.number().int(),
});
export type ChainState = z.infer<typeof chainState>;

interface Bad {
  readonly entry: ChainedEntry;
  /** The hash it was checked against. */
  readonly previous: string;
  readonly finding: Finding;
}

interface Gap {
  from: number;
  to: number;
  finding: Finding;
}

export interface ChainStart {
  readonly workspace: string;
  readonly from: number;
  /** The hash before `from`; null when nobody says. */
  readonly previous: string | null;
}

/** With `saved`, it goes on after a range. */
export function createChainCheck(
  { workspace, from, previous }: ChainStart,
  { altered, missing }: Drawers,
  saved?: ChainState,
) {
  let expected = saved?.expected ?? from;
  /** The hashes that the next entry may be linked to: of the last as it stands, then as it should be. Empty: unknown. */
  let links = saved?.links ?? (from === 1 ? [FIRST_HASH] : previous === null ? [] : [previous]);
  let last: { readonly seq: number } | null = saved?.last ?? null;
  /** The last one that holds. */
  let good: Pick<ChainedEntry, "seq" | "chain" | "at"> | null = saved?.good ?? null;
  /** The finding about the last entry, when it is a bad one. */
  let lastBad: Finding | null = saved?.lastBad == null ? null : altered.at(saved.lastBad);
  let bad: Bad[] = (saved?.bad ?? []).map((one) => ({ ...one, finding: altered.at(one.finding) }));
  const gaps: Gap[] = [];
  let count = saved?.count ?? 0;
  let oldRule = saved?.oldRule ?? 0;

  function entry(one: ChainedEntry): void {
    count += 1;
    if (one.chain === 1) oldRule += 1;
    if (one.workspace !== workspace) note(one, "belongs to another workspace");
    if (one.seq < expected) {
      outOfOrder(one);
      return;
    }
    if (one.seq > expected) skip(expected, one.seq - 1);
    if (link(one)) {
      // A bad entry is named once; what else is odd about it follows from that.
      if (good !== null && one.chain < good.chain) note(one, "follows an older rule than the entries before it");
      if (good !== null && one.chain >= CHAIN_VERSION && one.at < good.at)
        note(one, `is dated ${one.at}, before entry ${good.seq}`);
      good = one;
    }
    const said = fieldsIn(one.body)?.kind;
    if (one.chain === 1 && said !== one.kind) note(one, `says it is ${one.kind}, and its body says ${String(said)}`);
    last = one;
    expected = one.seq + 1;
  }

  function note({ seq, kind }: ChainedEntry, says: string): Finding {
    return altered.add({ seq, kind, says });
  }

  /** True when it holds, as far as can be told. */
  function link(one: ChainedEntry): boolean {
    const [stands, shouldBe] = links;
    const made = stands === undefined ? one.hash : entryHashOf(one, stands);
    const fitsRepaired = lastBad !== null && shouldBe !== undefined && entryHashOf(one, shouldBe) === one.hash;
    if (stands === undefined || made === one.hash || fitsRepaired) {
      if (lastBad !== null && made !== one.hash)
        lastBad.says = "its hash was changed; what it says is as it was recorded";
      links = [one.hash];
      lastBad = null;
      return true;
    }
    const isUnknown = made === null && whatFits(one, stands) === null;
    const finding = note(
      one,
      isUnknown ? `is of chain version ${one.chain}, which this program does not know` : whatDiffers(one, stands),
    );
    const now: Bad = { entry: one, previous: stands, finding };
    links = made === null ? [one.hash] : [one.hash, made];
    lastBad = finding;
    const twin = bad.find((other) => changedPlaces(other, now));
    if (twin) exchanged(twin, now);
    else if (bad.length < REMEMBERED_MAX) bad.push(now);
    return false;
  }

  /** Two entries that each fit where the other stands. */
  function exchanged(first: Bad, second: Bad): void {
    const between = bad.filter((other) => other !== first && other.entry.seq > first.entry.seq);
    for (const other of between)
      if (entryHashOf(other.entry, second.entry.hash) === other.entry.hash) altered.drop(other.finding);
    altered.drop(second.finding);
    first.finding.says = `and entry ${second.entry.seq} (${second.entry.kind}) have changed places`;
    bad = bad.filter((other) => other !== first && !between.includes(other));
    // The next entry was linked to the one that belongs here.
    links = [first.entry.hash];
    lastBad = null;
  }

  function skip(gapFrom: number, gapTo: number): void {
    const which = gapFrom === gapTo ? `entry ${gapFrom} is missing` : `entries ${gapFrom} to ${gapTo} are missing`;
    gaps.push({ from: gapFrom, to: gapTo, finding: missing.add({ seq: gapFrom, kind: null, says: which }) });
    links = [];
  }

  function outOfOrder(one: ChainedEntry): void {
    const gap = gaps.find(({ from: gapFrom, to }) => one.seq >= gapFrom && one.seq <= to);
    if (!gap) {
      note(one, "is there twice");
      return;
    }
    missing.drop(gap.finding);
    gaps.splice(gaps.indexOf(gap), 1);
    note(one, `stands after entry ${last?.seq}: the order was changed`);
    const kept = links;
    if (gap.from < one.seq) skip(gap.from, one.seq - 1);
    if (one.seq < gap.to) skip(one.seq + 1, gap.to);
    links = kept;
  }

  return {
    entry,
    /** The last entry as the database has it. */
    head(seq: number, hash: string): void {
      const at = last?.seq ?? from - 1;
      if (seq > at) skip(expected, seq);
      else if (seq < at)
        altered.add({ seq, kind: null, says: `is the last for the chain's head, and ${at - seq} follow` });
      else if (links.length > 0 && links[0] !== hash) {
        if (lastBad !== null && links[1] === hash)
          lastBad.says = "its hash was changed; what it says is as it was recorded";
        else altered.add({ seq, kind: null, says: "the chain's head holds another hash than the last entry" });
      }
    },
    /** The last entry, and the number of those given, `oldRule` of them under the rule that leaves out time and kind. */
    state: () => ({ last, count, oldRule }),
    save: (): ChainState => ({
      expected,
      links,
      last: last && { seq: last.seq },
      good: good && { seq: good.seq, chain: good.chain, at: good.at },
      lastBad: lastBad && altered.placeOf(lastBad),
      bad: bad
        .filter(({ entry: { body, changes } }) => body.length + (changes?.length ?? 0) <= REMEMBERED_CHARACTERS_MAX)
        .map((one) => ({ ...one, finding: altered.placeOf(one.finding) })),
      count,
      oldRule,
    }),
  };
}

function changedPlaces(first: Bad, second: Bad): boolean {
  const [a, b] = [first.entry, second.entry];
  // The entry at `a` was recorded as `b`; its link is the hash before `b`, or that of `b` when they are neighbours.
  const before = b.seq === a.seq + 1 ? b.hash : second.previous;
  return (
    entryHashOf({ ...a, seq: b.seq }, before) === a.hash && entryHashOf({ ...b, seq: a.seq }, first.previous) === b.hash
  );
}

function whatDiffers(one: ChainedEntry, previous: string): string {
  if (fieldsIn(one.body) === null) return "its body is not what was recorded: it is no JSON any more";
  const what = whatFits(one, previous);
  if (what !== null) return `${what} was changed`;
  return one.chain === 1
    ? "its body or its hash is not what was recorded"
    : "its time, actor, place, target, body, changes or hash is not what was recorded";
}

/** Tries, for what stands in an entry twice, whether the other one makes the hash fit. Null: it is something else. */
function whatFits(one: ChainedEntry, previous: string): string | null {
  const fields = fieldsIn(one.body) ?? {};
  const attempts: [string, Partial<ChainedEntry>][] = [
    ["its kind", { kind: String(fields.kind) }],
    ["what it is about", { target: auditTargetOf(fields) }],
    ["the rule it follows", { chain: one.chain === 1 ? 2 : 1 }],
    ["the rule it follows", { chain: CHAIN_VERSION }],
  ];
  if (one.actor !== null && typeof fields.by === "string")
    attempts.push(["the name of who did it", { actor: { ...one.actor, name: fields.by } }]);
  return attempts.find(([, instead]) => entryHashOf({ ...one, ...instead }, previous) === one.hash)?.[0] ?? null;
}

function fieldsIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    // Holds: an object of JSON has members of unknown types.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
