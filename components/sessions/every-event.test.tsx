import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { type EventName, eventNames, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { foldStory, linesOf } from "@/components/sessions/story";
import { StoryRow } from "@/components/sessions/story-line";
import { TimelineRow } from "@/components/sessions/timeline-row";
import { kindOf, type LaneView, type RowView } from "@/server/sessions/schema";

const occurredAt = new Date("2026-11-02T10:00:00.000Z");
const none = { calls: 0, free: 0, unpriced: 0, nano: 0n };
const lane: LaneView = {
  ...{ sessionId: "s", agentName: "a", depth: 0, firstAt: occurredAt, lastAt: occurredAt, firstId: null },
  ...{ events: 1, denied: 0, compactions: 0, own: none, tree: none },
};
const wordsOf = (event: EventName) => `the words of ${event}`;
const rowOf = (event: EventName, more: Partial<RowView> = {}): RowView => ({
  ...{ key: { occurredAt, id: "00000000-0000-7000-8000-000000000001" }, lane: 0, event, agentName: "a" },
  ...{ origin: "dispatch", tool: null, toolUseId: null, verdict: "none", final: null, isError: false },
  ...{ routedTo: null, words: wordsOf(event), durationUs: 0, hasHooks: false, call: null, compaction: null },
  ...{ spentNano: 0n, unpriced: 0, ...more },
});
const nothing = () => undefined;

const flat = (row: RowView) =>
  renderToStaticMarkup(
    <TimelineRow
      row={row}
      lane={lane}
      startMs={0}
      isSelected={false}
      isFolded={false}
      onOpen={nothing}
      onFold={nothing}
    />,
  );
const story = (rows: readonly RowView[], toggled: ReadonlySet<string> = new Set()) =>
  linesOf(foldStory(rows, [lane]), toggled)
    .map((line) =>
      renderToStaticMarkup(
        <StoryRow
          line={line}
          lane={lane}
          agentId="a"
          startMs={0}
          axis={{ fromMs: 0, toMs: 1 }}
          isSelected={false}
          isUnfolded={false}
          onOpen={nothing}
          onToggle={nothing}
        />,
      ),
    )
    .join("");

it("a route is marked in both lists", () => {
  const row = rowOf("before_agent_run", { routedTo: "writer" });
  expect(flat(row)).toContain("Routed");
  expect(story([row])).toContain("Routed");
  expect(flat(rowOf("before_agent_run"))).not.toContain("Routed");
});

describe.each(eventNames(WIDEST_PROFILE))("%s", (event) => {
  it("has its title, its kind and its words in the flat list", () => {
    const html = flat(rowOf(event));
    expect(html).toContain(eventTitle(event));
    expect(html).toContain(wordsOf(event));
    expect(kindOf(event)).not.toBe("other");
  });

  it("is in the story", () => {
    // A turn's line has the words of its end.
    const rows = event === "turn_start" ? [rowOf(event), rowOf("turn_end")] : [rowOf(event)];
    expect(story(rows)).toContain(event === "turn_start" ? wordsOf("turn_end") : wordsOf(event));
  });
});
