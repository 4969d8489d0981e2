import { describe, expect, it } from "vitest";
import {
  allTime,
  customRangeText,
  dayRangeText,
  duringWords,
  knownText,
  labelInSentence,
  presets,
  resolveRange,
  stepOf,
} from "@/components/layout/time-range/range";

const now = Date.parse("2026-11-21T14:03:22.184Z");

describe("a time range", () => {
  it("keeps the month's capital inside a sentence", () => {
    expect(labelInSentence("Last 24 hours")).toBe("last 24 hours");
    expect(labelInSentence("All time")).toBe("all time");
    expect(labelInSentence("25 Nov 2026")).toBe("25 Nov 2026");
    expect(duringWords({ text: "6h", label: "Last 6 hours", isLive: true })).toBe("in the last 6 hours");
    expect(duringWords({ text: "all", label: "All time", isLive: true })).toBe("since the beginning");
    expect(duringWords({ text: "x..y", label: "25 Nov 2026", isLive: false })).toBe("on 25 Nov 2026");
    const label = "25 Nov, 10:00 – 26 Nov, 11:00";
    expect(duringWords({ text: "x..y", label, isLive: false })).toBe("from 25 Nov, 10:00 to 26 Nov, 11:00");
  });
  it("is the same for every moment of one step, so that query keys stand still", () => {
    const at = (offset: number) => resolveRange("1h", Date.parse("2026-11-21T14:03:00.000Z") + offset);
    expect(at(0)).toEqual(at(59_999));
    expect(at(60_000)).not.toEqual(at(0));
  });
  it.each(presets.map((preset) => [preset.text, preset.ms] as const))(
    "of %s holds the present and has its length",
    (text, ms) => {
      const range = resolveRange(text, now);
      expect(range.to.getTime()).toBeGreaterThan(now);
      expect(range.to.getTime() - range.from.getTime()).toBe(ms);
      expect(range.isLive).toBe(true);
    },
  );
  it("chosen by hand stands still, whichever end came first", () => {
    const [a, b] = [new Date("2026-11-20T09:00:00Z"), new Date("2026-11-20T08:00:00Z")];
    const range = resolveRange(customRangeText(a, b), now);
    expect([range.from, range.to, range.isLive]).toEqual([b, a, false]);
  });
  it("of a day goes from midnight to midnight where the viewer is, and is called by the day", () => {
    const text = dayRangeText(new Date(2026, 10, 20, 14, 3).getTime());
    const range = resolveRange(text, now);
    expect([range.from, range.to]).toEqual([new Date(2026, 10, 20), new Date(2026, 10, 21)]);
    expect([range.label, range.isLive]).toEqual(["20 Nov 2026", false]);
  });
  it.each([null, "", "yesterday", "2026-11-20..", "a..b", "2026-11-21T10:00:00Z..2026-11-20T10:00:00Z", "1..2..3"])(
    "falls back when the text is %j",
    (text) => expect(resolveRange(text, now, "6h").text).toBe("6h"),
  );
  it("of all time is offered by some pages, holds the present, and elsewhere means nothing", () => {
    const range = resolveRange("all", now, "24h", true);
    expect([range.text, range.from]).toEqual(["all", allTime.from]);
    expect(range.to.getTime() - now).toBeGreaterThan(3_600_000 / 6);
    expect(resolveRange("all", now).text).toBe("24h");
  });
  it.each([
    [null, "24h"],
    ["all", "24h"],
    ["yesterday", "24h"],
    ["24H", "24h"],
    ["2026-11-20T09:00:00.000Z..2026-11-20T08:00:00.000Z", "24h"],
    ["7d", "7d"],
    ["2026-11-20T08:00:00.000Z..2026-11-20T09:00:00.000Z", "2026-11-20T08:00:00.000Z..2026-11-20T09:00:00.000Z"],
  ])("of the address %j is %s for everything on a page: its text, its window and its step", (asked, text) => {
    expect(knownText(asked)).toBe(text);
    expect(resolveRange(asked, now)).toEqual(resolveRange(text, now));
    expect(resolveRange(asked, now).text).toBe(text);
  });
  it("that means nothing moves on like its fallback, and does not stand at the beginning of time", () => {
    expect(stepOf(knownText("all"))).toBe(stepOf("24h"));
    expect(stepOf("yesterday")).not.toBeNull();
    expect(stepOf("2026-11-20T08:00:00.000Z..2026-11-20T09:00:00.000Z")).toBeNull();
  });
});
