/** A timeline as a tree: turns, their model calls, and the tool calls that these asked for. Pure. */
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { LaneView, RowView } from "@/server/sessions/schema";

export type StoryKind = "lane" | "turn" | "model" | "tool" | "compaction" | "event";

export interface StoryNode {
  readonly id: string;
  readonly kind: StoryKind;
  /** Index into the outline's lanes. */
  readonly lane: number;
  readonly parent: StoryNode | null;
  /** Its own events in order; none for a sub-session. */
  readonly rows: RowView[];
  readonly children: StoryNode[];
  /** Its end was recorded. */
  isClosed: boolean;
  /** Milliseconds since 1970: its own events, for turns and sub-sessions also all below. */
  fromMs: number;
  toMs: number;
}

interface OpenLane {
  readonly node: StoryNode | null;
  turn: StoryNode | null;
  model: StoryNode | null;
  compaction: StoryNode | null;
  readonly tools: Map<string, StoryNode>;
  lastTool: StoryNode | null;
}

const TOOL_EVENTS = new Set([
  "tool_input_transform",
  "tool_guard",
  "pre_tool_use",
  "permission_request",
  "on_tool_approval_decision",
  "tool_response_transform",
  "post_tool_use",
]);
const COMPACTION_EVENTS = new Set(["pre_compact", "before_compaction", "after_compaction"]);

/** The tree of a window of rows, which are in order; what began before the window hangs on its session. */
export function foldStory(rows: readonly RowView[], lanes: readonly LaneView[]): StoryNode[] {
  const roots: StoryNode[] = [];
  const parents = parentsOf(lanes);
  const open = new Map<number, OpenLane>();
  const laneAt = (lane: number, row: RowView): OpenLane => {
    const known = open.get(lane);
    if (known) return known;
    const above = parents[lane] ?? null;
    const parent = above === null ? null : laneAt(above, row);
    const call = parent?.lastTool && !parent.lastTool.isClosed ? parent.lastTool : null;
    const node = parent ? added(roots, "lane", lane, call ?? parent.turn ?? parent.node, row) : null;
    const made: OpenLane = { node, turn: null, model: null, compaction: null, tools: new Map(), lastTool: null };
    open.set(lane, made);
    return made;
  };
  for (const row of rows) putRow(roots, laneAt(row.lane, row), row);
  return roots;
}

function putRow(roots: StoryNode[], lane: OpenLane, row: RowView): void {
  const put = (node: StoryNode) => join(node, row);
  const make = (kind: StoryKind, parent: StoryNode | null) => added(roots, kind, row.lane, parent, row);
  const around = lane.turn ?? lane.node;
  if (row.event === "turn_start") {
    lane.turn = make("turn", lane.node);
    lane.model = lane.lastTool = null;
    put(lane.turn);
  } else if (row.event === "turn_end" && lane.turn) {
    put(lane.turn);
    lane.turn.isClosed = true;
    lane.turn = lane.model = lane.lastTool = null;
  } else if (row.event === "before_llm_call") {
    lane.model = make("model", around);
    put(lane.model);
  } else if (row.event === "after_llm_call") {
    if (!lane.model || lane.model.isClosed) lane.model = make("model", around);
    put(lane.model);
    lane.model.isClosed = true;
  } else if (TOOL_EVENTS.has(row.event)) {
    const known = row.toolUseId === null ? undefined : lane.tools.get(row.toolUseId);
    const tool = known ?? make("tool", lane.model ?? around);
    if (row.toolUseId !== null) lane.tools.set(row.toolUseId, tool);
    put(tool);
    tool.isClosed ||= row.event === "post_tool_use" || row.final?.verdict === "deny";
    lane.lastTool = tool;
  } else if (COMPACTION_EVENTS.has(row.event)) {
    const begins = row.event === "pre_compact" || !lane.compaction || lane.compaction.isClosed;
    const compaction = begins || !lane.compaction ? make("compaction", around) : lane.compaction;
    put(compaction);
    compaction.isClosed = row.event === "after_compaction" || row.compaction?.effect === "vetoed";
    lane.compaction = compaction;
  } else {
    const node = make("event", around);
    put(node);
    node.isClosed = true;
  }
}

function added(roots: StoryNode[], kind: StoryKind, lane: number, parent: StoryNode | null, row: RowView): StoryNode {
  const at = row.key.occurredAt.getTime();
  const id = `${kind} ${lane} ${eventKeyText(row.key)}`;
  const node: StoryNode = {
    ...{ id, kind, lane, parent, rows: [], children: [] },
    ...{ isClosed: kind === "lane", fromMs: at, toMs: at },
  };
  (parent?.children ?? roots).push(node);
  return node;
}

/** Adds an event to a node, and its time to the turns and sub-sessions above. */
function join(node: StoryNode, row: RowView): void {
  const at = row.key.occurredAt.getTime();
  node.rows.push(row);
  node.toMs = Math.max(node.toMs, at);
  for (let above = node.parent; above; above = above.parent)
    if (above.kind === "turn" || above.kind === "lane") above.toMs = Math.max(above.toMs, at);
}

/** The parent lane of each lane. Lanes are in order, a parent before its children. */
function parentsOf(lanes: readonly LaneView[]): (number | null)[] {
  const path: number[] = [];
  return lanes.map(({ depth }, at) => {
    path[depth] = at;
    return depth === 0 ? null : (path[depth - 1] ?? 0);
  });
}

/** Milliseconds from its first event to its end; null when one of them was not recorded. */
export function durationOf({ kind, isClosed, rows, fromMs, toMs }: StoryNode): number | null {
  if (kind === "lane") return toMs - fromMs;
  return isClosed && rows.length > 1 ? toMs - fromMs : null;
}

/** The event that represents a node: its end, or else its beginning. */
export function mainRow(node: StoryNode): RowView | null {
  if (node.kind === "lane") return node.children.map(mainRow).find((row) => row !== null) ?? null;
  if (node.kind === "turn") return node.rows[0] ?? null;
  return node.rows.find((row) => row.final?.verdict === "deny") ?? node.rows.at(-1) ?? null;
}

export interface StoryLine {
  readonly id: string;
  readonly depth: number;
  readonly node: StoryNode;
  /** One of the node's events, when it is unfolded; null for the node itself. */
  readonly row: RowView | null;
}

/** A tool call or a compaction is one line until it is unfolded, unless a sub-session hangs on it. */
const isUnfoldedAtFirst = ({ kind, children }: StoryNode): boolean =>
  (kind !== "tool" && kind !== "compaction") || children.length > 0;
export const isUnfolded = (node: StoryNode, toggled: ReadonlySet<string>): boolean =>
  isUnfoldedAtFirst(node) !== toggled.has(node.id);
const showsEvents = ({ kind, rows }: StoryNode): boolean =>
  (kind === "tool" || kind === "compaction") && rows.length > 1;
export const canUnfold = (node: StoryNode): boolean => node.children.length > 0 || showsEvents(node);

/** The lines of a tree from top to bottom; `toggled` are the nodes that are folded or unfolded against the rule. */
export function linesOf(nodes: readonly StoryNode[], toggled: ReadonlySet<string>, depth = 0): StoryLine[] {
  const lines: StoryLine[] = [];
  for (const node of nodes) {
    lines.push({ id: node.id, depth, node, row: null });
    if (!isUnfolded(node, toggled)) continue;
    if (showsEvents(node))
      for (const row of node.rows) lines.push({ id: `row ${eventKeyText(row.key)}`, depth: depth + 1, node, row });
    for (const line of linesOf(node.children, toggled, depth + 1)) lines.push(line);
  }
  return lines;
}

/** The line of each event, by the event's key: its own, its node's, or that of the nearest folded ancestor. */
export function lineByEvent(lines: readonly StoryLine[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const putAll = (node: StoryNode, at: number) => {
    for (const row of node.rows) if (!found.has(eventKeyText(row.key))) found.set(eventKeyText(row.key), at);
    for (const child of node.children) putAll(child, at);
  };
  const nodeLines = new Set(lines.map(({ id }) => id));
  for (const [at, { row, node }] of lines.entries()) {
    if (row) found.set(eventKeyText(row.key), at);
    else {
      for (const own of node.rows) found.set(eventKeyText(own.key), at);
      for (const child of node.children) if (!nodeLines.has(child.id)) putAll(child, at);
    }
  }
  return found;
}
