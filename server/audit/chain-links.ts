/** Checks that each entry's hash includes the hash before it; two swapped entries are one finding. */
import { z } from "zod";
import { auditTargetOf } from "./audit-target.ts";
import { CHAIN_VERSION, type ChainedEntry, entryHashOf } from "./chain.ts";
import type { Finding, Findings } from "./findings.ts";

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

/** The state of the check between two ranges. A finding is stored as its index. */
export const linkState = z.strictObject({
  links: z.array(z.string()).max(2),
  lastBad: z.number().int().nullable(),
  bad: z
    .array(z.strictObject({ entry: chainedEntry, previous: z.string(), finding: z.number().int() }))
    .max(REMEMBERED_MAX),
});
export type LinkState = z.infer<typeof linkState>;

interface Bad {
  readonly entry: ChainedEntry;
  /** The hash it was checked against. */
  readonly previous: string;
  readonly finding: Finding;
}

const HASH_CHANGED = "its hash was changed; what it says is as it was recorded";

/** Continues after an earlier range with its saved state. */
export function createLinkCheck(altered: Findings, saved: LinkState) {
  /** The hashes that the next entry may be linked to: of the last as it stands, then as it should be. Empty: unknown. */
  let { links } = saved;
  /** The finding about the last entry, when it is a bad one. */
  let lastBad: Finding | null = saved.lastBad === null ? null : altered.at(saved.lastBad);
  let bad: Bad[] = saved.bad.map((one) => ({ ...one, finding: altered.at(one.finding) }));

  /** True if no link is known to be broken. */
  function check(one: ChainedEntry): boolean {
    const [stands, shouldBe] = links;
    const made = stands === undefined ? one.hash : entryHashOf(one, stands);
    const fitsRepaired = lastBad !== null && shouldBe !== undefined && entryHashOf(one, shouldBe) === one.hash;
    if (stands === undefined || made === one.hash || fitsRepaired) {
      if (lastBad !== null && made !== one.hash) lastBad.says = HASH_CHANGED;
      links = [one.hash];
      lastBad = null;
      return true;
    }
    const isUnknown = made === null && whatFits(one, stands) === null;
    const { seq, kind } = one;
    const says = isUnknown
      ? `is of chain version ${one.chain}, which this program does not know`
      : whatDiffers(one, stands);
    const finding = altered.add({ seq, kind, says });
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
    // The next entry was linked to the entry that belongs here.
    links = [first.entry.hash];
    lastBad = null;
  }

  return {
    check,
    /** Entries are missing: the next one may be linked to any. */
    forget(): void {
      links = [];
    },
    /** The hash that the database has for the last entry. */
    head(seq: number, hash: string): void {
      if (links.length === 0 || links[0] === hash) return;
      if (lastBad !== null && links[1] === hash) lastBad.says = HASH_CHANGED;
      else altered.add({ seq, kind: null, says: "the chain's head holds another hash than the last entry" });
    },
    save: (): LinkState => ({
      links,
      lastBad: lastBad && altered.placeOf(lastBad),
      bad: bad
        .filter(({ entry: { body, changes } }) => body.length + (changes?.length ?? 0) <= REMEMBERED_CHARACTERS_MAX)
        .map((one) => ({ ...one, finding: altered.placeOf(one.finding) })),
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

/** For values that an entry holds twice, tries whether the other copy makes the hash match. Null when none does. */
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

/** Null for text that is not a JSON object. */
export function fieldsIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    // Holds: an object of JSON has members of unknown types.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
