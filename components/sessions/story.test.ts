import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { durationOf, foldStory, lineByEvent, linesOf, type StoryNode } from "@/components/sessions/story";
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { LaneView, RowView } from "@/server/sessions/schema";

const key = (at: number) => ({
  occurredAt: new Date(Date.UTC(2026, 9, 1) + at),
  id: `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`,
});
const rowOf = (at: number, event: string, more: Partial<RowView> = {}): RowView => ({
  ...{ key: key(at), lane: 0, event, agentName: "a", origin: "report", tool: null, toolUseId: null, verdict: "none" },
  ...{
    final: null,
    isError: false,
    routedTo: null,
    words: "",
    durationUs: 0,
    hasHooks: false,
    call: null,
    compaction: null,
  },
  ...{ spentNano: 0n, unpriced: 0, ...more },
});
const none = { calls: 0, free: 0, unpriced: 0, nano: 0n };
const laneOf = (depth: number): LaneView => ({
  ...{ sessionId: `s${depth}`, agentName: "a", depth, firstAt: key(0).occurredAt, lastAt: key(99).occurredAt },
  ...{ firstId: null, events: 0, denied: 0, compactions: 0, own: none, tree: none },
});
/** `turn(model(tool))`: the kinds of a tree in one line. */
const shape = (nodes: readonly StoryNode[]): string =>
  nodes.map(({ kind, children }) => (children.length === 0 ? kind : `${kind}(${shape(children)})`)).join(" ");
const call = (id: string, more: Partial<RowView> = {}) => ({ tool: "shell", toolUseId: id, ...more });

const TURN = [
  rowOf(0, "user_prompt_submit"),
  rowOf(1, "turn_start"),
  rowOf(2, "before_llm_call"),
  rowOf(10, "after_llm_call"),
  rowOf(11, "pre_tool_use", call("1")),
  rowOf(12, "pre_tool_use", call("2")),
  rowOf(13, "on_tool_approval_decision", call("1")),
  rowOf(14, "on_tool_approval_decision", call("2", { final: { verdict: "deny", source: "user_denied" } })),
  rowOf(20, "post_tool_use", call("1")),
  rowOf(21, "turn_end"),
];

describe("the story of a session", () => {
  it("hangs tool calls on the model call that asked for them, each once however they interleave", () => {
    const roots = foldStory(TURN, [laneOf(0)]);
    expect(shape(roots)).toBe("event turn(model(tool tool))");
    const model = roots[1]?.children[0];
    expect(model?.children.map(durationOf)).toEqual([9, 2]);
    expect([roots[1], model].map((node) => node && durationOf(node))).toEqual([20, 8]);
  });

  it("does not invent an end that was not recorded", () => {
    const [turn] = foldStory(TURN.slice(1, 5), [laneOf(0)]);
    const tool = turn?.children[0]?.children[0];
    expect([turn, tool].map((node) => node && durationOf(node))).toEqual([null, null]);
    expect(shape(foldStory(TURN.slice(3), [laneOf(0)]))).toBe("model(tool tool) event");
  });

  it("hangs a sub-session on the call during which it began", () => {
    const inner = TURN.slice(1, 4).map((row) => ({ ...row, key: key(12), lane: 1 }));
    const rows = [...TURN.slice(1, 5), ...inner, ...TURN.slice(8)];
    expect(shape(foldStory(rows, [laneOf(0), laneOf(1)]))).toBe("turn(model(tool(lane(turn(model)))))");
  });

  it("makes one of the events of a compaction, and ends it where it was vetoed", () => {
    const compaction = { reason: "threshold", effect: "vetoed" };
    const rows = [
      rowOf(1, "pre_compact"),
      rowOf(2, "before_compaction"),
      rowOf(3, "after_compaction"),
      rowOf(4, "before_compaction", { compaction }),
      rowOf(5, "before_compaction"),
    ];
    const roots = foldStory(rows, [laneOf(0)]);
    expect(roots.map((node) => [node.rows.length, node.isClosed])).toEqual([
      [3, true],
      [1, true],
      [1, false],
    ]);
  });

  it("finds the line of every event, whatever is folded", () => {
    const roots = foldStory(TURN, [laneOf(0)]);
    const turnId = roots[1]?.id ?? "";
    for (const toggled of [new Set<string>(), new Set([turnId])]) {
      const lines = linesOf(roots, toggled);
      expect(TURN.every((row) => lineByEvent(lines).has(eventKeyText(row.key)))).toBe(true);
      expect(lines).toHaveLength(toggled.size === 0 ? 5 : 2);
    }
    const tool = roots[1]?.children[0]?.children[0];
    const lines = linesOf(roots, new Set([tool?.id ?? ""]));
    expect(lines.flatMap(({ row }) => (row ? [row.event] : []))).toEqual([
      "pre_tool_use",
      "on_tool_approval_decision",
      "post_tool_use",
    ]);
  });
});

const DATA = fileURLToPath(new URL("../../../shared/data/sessions/", import.meta.url));

interface RecordedLine {
  event: string;
  at_ms: number;
  input: { session_id?: string; tool_use_id?: string; tool_name?: string };
}

describe.skipIf(!existsSync(DATA))("every recorded session (skipped without them beside this checkout)", () => {
  it("is a tree that holds each event once, each turn and each tool call as one node", () => {
    for (const file of existsSync(DATA) ? readdirSync(DATA) : []) {
      const lines = readFileSync(`${DATA}${file}`, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as RecordedLine); // the recorded sessions' own format
      const ids = [...new Set(lines.map(({ input }) => input.session_id ?? ""))].filter((id) => id !== "");
      const rows = lines
        .filter(({ input }) => ids.includes(input.session_id ?? ""))
        .map(({ event, at_ms, input }) =>
          rowOf(at_ms, event, {
            lane: ids.indexOf(input.session_id ?? ""),
            tool: input.tool_name ?? null,
            toolUseId: input.tool_use_id ?? null,
          }),
        );
      const lanes = ids.map((_, at) => laneOf(Math.min(at, 1)));
      const nodes = allOf(foldStory(rows, lanes));
      const held = nodes.flatMap((node) => node.rows.map(({ key: { id } }) => id));
      expect(held.toSorted().join()).toBe(rows.map((row) => row.key.id).join());
      const turns = nodes.filter(({ kind }) => kind === "turn");
      expect(turns).toHaveLength(rows.filter(({ event }) => event === "turn_start").length);
      expect(turns.every(({ isClosed }) => isClosed)).toBe(true);
      const calls = new Set(rows.flatMap((row) => (row.toolUseId === null ? [] : [`${row.lane} ${row.toolUseId}`])));
      expect(nodes.filter(({ kind, rows: [first] }) => kind === "tool" && first?.toolUseId)).toHaveLength(calls.size);
    }
  });
});

const allOf = (nodes: readonly StoryNode[]): StoryNode[] => nodes.flatMap((node) => [node, ...allOf(node.children)]);
