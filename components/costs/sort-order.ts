/** Orders of the cost tables. Unknown values come last in both directions. */
import type { Sort } from "@/components/ui/table/types";
import type { CostLineView, LedgerView, SessionCostView, TokensView } from "@/server/costs/schema";

/** The sum of a ledger's tokens. Reasoning tokens are reported separately and are not included in any total. */
export const tokensIn = ({ input, cachedInput, cachedWrite, output }: TokensView): bigint =>
  input + cachedInput + cachedWrite + output;

/** True if no call of the group has a price. */
export const isUnpriced = ({ calls, unpriced }: Pick<LedgerView, "calls" | "unpriced">): boolean =>
  calls > 0 && calls === unpriced;

type Value = number | bigint | string | null;
const LINE: Readonly<Record<string, (line: CostLineView) => Value>> = {
  name: ({ name }) => name.toLowerCase(),
  calls: ({ ledger }) => ledger.calls,
  unpriced: ({ ledger }) => ledger.unpriced,
  tokens: ({ ledger }) => tokensIn(ledger.tokens),
  spend: ({ ledger }) => (isUnpriced(ledger) ? null : ledger.nano),
};
export const lineSorts = Object.keys(LINE);

const SESSION: Readonly<Record<string, (session: SessionCostView) => Value>> = {
  active: ({ lastAt }) => lastAt.getTime(),
  agent: ({ agentName }) => agentName.toLowerCase(),
  calls: ({ tree }) => tree.calls,
  tokens: ({ tree }) => tree.tokens,
  own: ({ own }) => (isUnpriced(own) ? null : own.nano),
  spend: ({ tree }) => (isUnpriced(tree) ? null : tree.nano),
};
export const sessionSorts = Object.keys(SESSION);

export const sortedLines = (lines: readonly CostLineView[], sort: Sort): CostLineView[] =>
  ordered(lines, LINE[sort.id], sort.desc);

/** Roots in the order asked for; what belongs to a root stays below it. */
export function sortedTrees(sessions: readonly SessionCostView[], sort: Sort): SessionCostView[] {
  const trees: { root: SessionCostView; rows: SessionCostView[] }[] = [];
  for (const session of sessions) {
    const last = trees.at(-1);
    if (session.depth === 0 || !last) trees.push({ root: session, rows: [session] });
    else last.rows.push(session);
  }
  const read = SESSION[sort.id];
  return ordered(trees, read && (({ root }) => read(root)), sort.desc).flatMap(({ rows }) => rows);
}

function ordered<T>(rows: readonly T[], read: ((row: T) => Value) | undefined, desc: boolean): T[] {
  if (!read) return [...rows];
  return rows.toSorted((a, b) => {
    const [x, y] = [read(a), read(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (desc ? -1 : 1);
  });
}
