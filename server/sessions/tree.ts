/** A session and its sub-sessions as lanes: who is below whom, and what each cost by itself and with everything below. */
import type { LaneRow, SessionRow } from "./list-repository.ts";
import type { LaneView, SpentView } from "./schema.ts";

type Paid = Pick<SessionRow, "calls_priced" | "calls_free" | "calls_unpriced" | "cost_nano">;

export function spentOf(row: Paid): SpentView {
  const [priced, free, unpriced] = [Number(row.calls_priced), Number(row.calls_free), Number(row.calls_unpriced)];
  return { calls: priced + free + unpriced, free, unpriced, nano: BigInt(row.cost_nano) };
}

const added = (a: SpentView, b: SpentView): SpentView => ({
  calls: a.calls + b.calls,
  free: a.free + b.free,
  unpriced: a.unpriced + b.unpriced,
  nano: a.nano + b.nano,
});

/**
 * `rootId` first, each parent directly before its children, each session once. Rows without a parent in the tree are
 * left out.
 */
export function lanesOf(rows: readonly LaneRow[], rootId: string): LaneView[] {
  const below = new Map<string, LaneRow[]>();
  for (const row of rows) {
    if (row.session_id === rootId || row.parent_session_id === null) continue;
    below.set(row.parent_session_id, [...(below.get(row.parent_session_id) ?? []), row]);
  }
  const order: { row: LaneRow; depth: number }[] = [];
  const placed = new Set<string>();
  const root = rows.find((row) => row.session_id === rootId);
  const stack = root ? [{ row: root, depth: 0 }] : [];
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (placed.has(top.row.session_id)) continue;
    placed.add(top.row.session_id);
    order.push(top);
    const depth = top.depth + 1;
    for (const row of (below.get(top.row.session_id) ?? []).toSorted(byStart).reverse()) stack.push({ row, depth });
  }
  const lanes = order.map(({ row, depth }) => laneOf(row, depth));
  // From the last to the first, adds each to its parent.
  const path: number[] = [];
  const parents = lanes.map(({ depth }, at) => {
    path[depth] = at;
    return depth === 0 ? null : (path[depth - 1] ?? null);
  });
  for (let at = lanes.length - 1; at > 0; at -= 1) {
    const [lane, parent] = [lanes[at], lanes[parents[at] ?? 0]];
    if (lane && parent) parent.tree = added(parent.tree, lane.tree);
  }
  return lanes;
}

const byStart = (a: LaneRow, b: LaneRow) =>
  a.first_at.getTime() - b.first_at.getTime() || (a.session_id < b.session_id ? -1 : 1);

function laneOf(row: LaneRow, depth: number): LaneView {
  const own = spentOf(row);
  return {
    sessionId: row.session_id,
    agentName: row.agent_name,
    depth,
    firstAt: row.first_at,
    lastAt: row.last_at,
    firstId: row.first_id,
    events: Number(row.events),
    denied: Number(row.denied),
    compactions: Number(row.compactions),
    own,
    tree: own,
  };
}
