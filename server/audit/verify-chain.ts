/** Checks that entries, given in order, form a chain: numbers without gaps, each hash computed from the one before. */
import { z } from "zod";
import { CHAIN_VERSION, type ChainedEntry, FIRST_HASH } from "./chain.ts";
import { createLinkCheck, fieldsIn, linkState } from "./chain-links.ts";
import type { Drawers, Finding, Findings } from "./findings.ts";

/** The check between two ranges. */
export const chainState = z.strictObject({
  expected: z.number().int(),
  ...linkState.shape,
  last: z.strictObject({ seq: z.number() }).nullable(),
  good: z.strictObject({ seq: z.number(), chain: z.number(), at: z.string() }).nullable(),
  count: z.number().int(),
  oldRule: z.number().int(),
});
export type ChainState = z.infer<typeof chainState>;

interface Gap {
  from: number;
  to: number;
  finding: Finding;
}

export interface ChainStart {
  readonly workspace: string;
  readonly from: number;
  /** The hash before `from`; null when unknown. */
  readonly previous: string | null;
}

/** With `saved`, it continues after an earlier range. */
export function createChainCheck(
  { workspace, from, previous }: ChainStart,
  { altered, missing }: Drawers,
  saved?: ChainState,
) {
  const first = from === 1 ? FIRST_HASH : previous;
  const links = createLinkCheck(altered, saved ?? { links: first === null ? [] : [first], lastBad: null, bad: [] });
  let expected = saved?.expected ?? from;
  let last: { readonly seq: number } | null = saved?.last ?? null;
  /** The last valid entry. */
  let good: Pick<ChainedEntry, "seq" | "chain" | "at"> | null = saved?.good ?? null;
  const gaps = createGaps(missing);
  let count = saved?.count ?? 0;
  let oldRule = saved?.oldRule ?? 0;

  function entry(one: ChainedEntry): void {
    count += 1;
    if (one.chain === 1) oldRule += 1;
    if (one.workspace !== workspace) note(one, "belongs to another workspace");
    if (one.seq < expected) {
      note(one, gaps.fill(one.seq) ? `stands after entry ${last?.seq}: the order was changed` : "is there twice");
      return;
    }
    if (one.seq > expected) skip(expected, one.seq - 1);
    if (links.check(one)) {
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

  function note({ seq, kind }: ChainedEntry, says: string): void {
    altered.add({ seq, kind, says });
  }

  function skip(gapFrom: number, gapTo: number): void {
    gaps.add(gapFrom, gapTo);
    links.forget();
  }

  return {
    entry,
    /** The last entry according to the database. */
    head(seq: number, hash: string): void {
      const at = last?.seq ?? from - 1;
      if (seq > at) skip(expected, seq);
      else if (seq < at)
        altered.add({ seq, kind: null, says: `is the last for the chain's head, and ${at - seq} follow` });
      else links.head(seq, hash);
    },
    /** The last entry, and the number of those given, `oldRule` of them under the rule that leaves out time and kind. */
    state: () => ({ last, count, oldRule }),
    save: (): ChainState => ({
      expected,
      ...links.save(),
      last: last && { seq: last.seq },
      good: good && { seq: good.seq, chain: good.chain, at: good.at },
      count,
      oldRule,
    }),
  };
}

/** The numbers that were passed over, each span with its finding. */
function createGaps(missing: Findings) {
  const gaps: Gap[] = [];

  function add(from: number, to: number): void {
    const which = from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
    gaps.push({ from, to, finding: missing.add({ seq: from, kind: null, says: which }) });
  }

  return {
    add,
    /** For an entry that comes late. False when it was not missing. */
    fill(seq: number): boolean {
      const gap = gaps.find(({ from, to }) => seq >= from && seq <= to);
      if (!gap) return false;
      missing.drop(gap.finding);
      gaps.splice(gaps.indexOf(gap), 1);
      if (gap.from < seq) add(gap.from, seq - 1);
      if (seq < gap.to) add(seq + 1, gap.to);
      return true;
    },
  };
}
