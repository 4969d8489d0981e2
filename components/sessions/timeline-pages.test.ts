import { describe, expect, it } from "vitest";
import { foldedSessionsParam, parseFoldedSessions } from "@/components/sessions/query";
import { markFrom, pageOfKey, rowOfKey, rowOfSlot, slotOfRow } from "@/components/sessions/timeline-pages";
import { parseEventKey } from "@/server/recording/event-key-schema";
import { timelineHref } from "@/server/sessions/schema";

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const key = (ms: number, n = 0) => ({ occurredAt: new Date(Date.UTC(2026, 9, 1) + ms), id: id(n) });

describe("a place in a timeline", () => {
  const pages = [key(0), key(500, 7), key(1_000)];
  it.each([
    [key(0), 0],
    [key(499), 0],
    [key(500, 6), 0],
    [key(500, 7), 1],
    [key(999), 1],
    [key(9_999), 2],
  ])("is on the last page that begins no later", (asked, page) => expect(pageOfKey(pages, asked)).toBe(page));
  it("is the row itself, or the last one before a row that is not shown", () => {
    const rows = [key(500, 7), key(600), key(700)].map((each) => ({ key: each }));
    expect(rowOfKey(1, rows, key(600))).toBe(501);
    expect(rowOfKey(1, rows, key(650))).toBe(501);
  });
  it("jumps to marks of one kind, both ways, and nowhere beyond the last", () => {
    const marks = [3, 7, 9].map((at) => ({ at, kind: at === 7 ? ("error" as const) : ("denial" as const) }));
    expect(markFrom(marks, "denial", 3, "next")).toBe(9);
    expect(markFrom(marks, "denial", 9, "previous")).toBe(3);
    expect(markFrom(marks, "error", 7, "next")).toBeNull();
  });
  it("takes an empty stretch of time for what comes next", () => {
    const slots = [
      { slot: 0, at: 0, rows: 10 },
      { slot: 5, at: 10, rows: 3 },
    ];
    expect([rowOfSlot(slots, 2), rowOfSlot(slots, 9), slotOfRow(slots, 9), slotOfRow(slots, 11)]).toEqual([
      10, 10, 0, 5,
    ]);
  });
});

describe("addresses", () => {
  const hostile = [`../a?b=c&d#e%`, "日本,語", "..", ' "x" ', "a,b"];
  it("carry any session id", () => {
    for (const sessionId of hostile) {
      const url = new URL(timelineHref({ agentId: id(1), sessionId }, key(5)), "http://x");
      expect([url.pathname, url.searchParams.get("session")]).toEqual(["/activity/sessions/timeline", sessionId]);
      expect(parseEventKey(url.searchParams.get("event"))).toEqual(key(5));
    }
    expect(parseFoldedSessions(foldedSessionsParam(hostile))).toEqual(hostile);
    expect(parseFoldedSessions("%E0%A4%A")).toEqual([]);
  });
});
