/** Everything stored, counted, for scripts that compare. Exact, and as slow as reading it all. */
import type { Database } from "../../platform/db.ts";
import { untilProjected } from "../../projectors/index.ts";
import { formatUsd } from "../../recording/index.ts";
import { type Decimal, plus, textOf, ZERO } from "./decimal.ts";
import { rootOf } from "./family.ts";
import { type SessionRow, type Snapshot, snapshot } from "./repository.ts";
import type { SessionStats, StatsView } from "./schema.ts";
import { Tally } from "./tally.ts";

/** All records from before the call, as of one instant. Errors: `busy` when the figures lag far behind the record. */
export async function countEverything(db: Database, workspaceId: string): Promise<StatsView> {
  await untilProjected(db.pool, workspaceId);
  return snapshot(db.pool, workspaceId, async (stored) => {
    const counted = await count(stored);
    return viewOf(counted);
  });
}

interface Counted {
  readonly overall: Tally;
  readonly without: Tally;
  readonly sessions: ReadonlyMap<string, { readonly row: SessionRow; readonly tally: Tally }>;
}

async function count(stored: Snapshot): Promise<Counted> {
  const overall = new Tally();
  const without = new Tally();
  const sessions = new Map<string, { row: SessionRow; tally: Tally }>();
  for await (const row of stored.sessions()) sessions.set(row.session, { row, tally: new Tally() });
  const both = ({ session }: { readonly session: string }) => [overall, sessions.get(session)?.tally ?? without];
  for await (const row of stored.events()) for (const tally of both(row)) tally.addEvents(row);
  for await (const row of stored.decisions()) for (const tally of both(row)) tally.addDecisions(row);
  for await (const row of stored.calls()) for (const tally of both(row)) tally.addCalls(row);
  for await (const row of stored.compactions()) for (const tally of both(row)) tally.addCompaction(row);
  return { overall, without, sessions };
}

function viewOf({ overall, without, sessions }: Counted): StatsView {
  const parents = new Map([...sessions].map(([id, { row }]) => [id, row.parent]));
  const bySession: Record<string, SessionStats> = {};
  const byLastEnd: Record<string, number> = {};
  const roots = new Map<string, { sessions: number; calls: number; own: bigint; nano: bigint; exact: Decimal }>();
  for (const [id, { row, tally }] of sessions) {
    const root = rootOf(id, parents);
    const { parent, ended } = row;
    bySession[id] = { parent, root, ...tally.block(), ended, compaction_list: tally.compactionList };
    if (ended !== null) byLastEnd[ended] = (byLastEnd[ended] ?? 0) + 1;
    const family = roots.get(root) ?? { sessions: 0, calls: 0, own: 0n, nano: 0n, exact: ZERO };
    roots.set(root, family);
    family.sessions += 1;
    family.calls += tally.calls;
    family.nano += tally.nano;
    family.exact = plus(family.exact, tally.exact);
    if (id === root) family.own = tally.nano;
  }
  return {
    sessions: { all: sessions.size, roots: roots.size, sub_sessions: sessions.size - roots.size },
    overall: { ...overall.block(), sessions_by_last_end: byLastEnd },
    without_session: { events: without.events },
    by_root_session: mapped(roots, ({ sessions, calls, own, nano }) => ({
      sessions,
      calls,
      own_usd: formatUsd(own),
      usd: formatUsd(nano),
    })),
    by_session: bySession,
    exact_usd: {
      overall: textOf(overall.exact),
      by_model: mapped(Object.entries(overall.models), ({ exact }) => textOf(exact)),
      by_agent: mapped(Object.entries(overall.agents), ({ exact }) => textOf(exact)),
      by_session: mapped(sessions, ({ tally }) => textOf(tally.exact)),
      by_root_session: mapped(roots, ({ exact }) => textOf(exact)),
    },
  };
}

function mapped<T, V>(entries: Iterable<[string, T]>, value: (one: T) => V): Record<string, V> {
  return Object.fromEntries([...entries].map(([key, one]) => [key, value(one)]));
}
