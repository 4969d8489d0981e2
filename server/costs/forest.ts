/**
 * Session rows as trees: the cost of each session alone, and including its sub-sessions. Each session is in exactly one
 * place, whatever the parent ids are: a cycle of parents is broken at its earliest session.
 */
import type { SessionRow } from "./repository.ts";
import type { AmountView, SessionCostView } from "./schema.ts";

interface Node {
  readonly row: SessionRow;
  readonly children: Node[];
  readonly own: AmountView;
  tree: AmountView;
  descendants: number;
}

/** Every row once: the trees by their last activity, the newest first, and each parent right before its descendants. */
export function forestOf(rows: readonly SessionRow[]): SessionCostView[] {
  const nodes = new Map(rows.map((row) => [idOf(row.agent_id, row.session_id), nodeOf(row)]));
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const parent = parentOf(nodes, node);
    if (parent) parent.children.push(node);
    else roots.push(node);
  }
  // A session on a ring is reached from no root: the earliest one left becomes a root, until none is left.
  const order: { node: Node; depth: number }[] = [];
  const placed = new Set<Node>();
  const place = (root: Node) => {
    const stack = [{ node: root, depth: 0 }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (placed.has(top.node)) continue;
      placed.add(top.node);
      order.push(top);
      const depth = top.depth + 1;
      for (const child of top.node.children.toSorted(byStart).reverse()) stack.push({ node: child, depth });
    }
  };
  for (const root of roots.toSorted(byLast)) place(root);
  for (const node of [...nodes.values()].toSorted(byStart)) if (!placed.has(node)) place(node);
  sumUp(order);
  return order.map(({ node, depth }) => viewOf(node, depth));
}

/** From the last node to the first, adds each to its parent. */
function sumUp(order: readonly { node: Node; depth: number }[]): void {
  const path: Node[] = [];
  const parents = order.map(({ node, depth }) => {
    path[depth] = node;
    return depth === 0 ? null : (path[depth - 1] ?? null);
  });
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const [node, parent] = [order[at]?.node, parents[at]];
    if (!node || !parent) continue;
    parent.tree = added(parent.tree, node.tree);
    parent.descendants += node.descendants + 1;
  }
}

const idOf = (agentId: string, sessionId: string) => `${agentId} ${sessionId}`;
const parentOf = (nodes: ReadonlyMap<string, Node>, { row }: Node) =>
  row.parent_session_id === null ? undefined : nodes.get(idOf(row.agent_id, row.parent_session_id));
const byStart = (a: Node, b: Node) =>
  a.row.first_at.getTime() - b.row.first_at.getTime() || (a.row.session_id < b.row.session_id ? -1 : 1);
const byLast = (a: Node, b: Node) => b.row.last_at.getTime() - a.row.last_at.getTime() || byStart(a, b);

function nodeOf(row: SessionRow): Node {
  const own = amountOf(row);
  return { row, children: [], own, tree: own, descendants: 0 };
}

export function amountOf(
  row: Pick<SessionRow, "calls_priced" | "calls_free" | "calls_unpriced" | "cost_nano" | "tokens">,
): AmountView {
  const [priced, free, unpriced] = [Number(row.calls_priced), Number(row.calls_free), Number(row.calls_unpriced)];
  const calls = priced + free + unpriced;
  return { calls, priced, free, unpriced, nano: BigInt(row.cost_nano), tokens: BigInt(row.tokens) };
}

function added(a: AmountView, b: AmountView): AmountView {
  return {
    calls: a.calls + b.calls,
    priced: a.priced + b.priced,
    free: a.free + b.free,
    unpriced: a.unpriced + b.unpriced,
    nano: a.nano + b.nano,
    tokens: a.tokens + b.tokens,
  };
}

function viewOf({ row, own, tree, descendants }: Node, depth: number): SessionCostView {
  return {
    agentId: row.agent_id,
    sessionId: row.session_id,
    agentName: row.agent_name,
    title: null,
    parentSessionId: row.parent_session_id,
    depth,
    descendants,
    firstAt: row.first_at,
    lastAt: row.last_at,
    endedAs: row.last_end_reason,
    own,
    tree,
  };
}
