import { describe, expect, it } from "vitest";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { clockTime, exactTime, relativeTime } from "@/components/ui/format/instant";
import { exactMoney, leastMoney, shortMoney, toNano } from "@/components/ui/format/nano";

describe("money", () => {
  it.each([
    [0n, "$0.00", "$0.00"],
    [4_213_750n, "$0.0042", "$0.00421375"],
    [9_994_999n, "$0.0100", "$0.009994999"],
    [9_995_000n, "$0.01", "$0.009995"],
    [49_999n, "<$0.0001", "$0.000049999"],
    [50_000n, "$0.0001", "$0.00005"],
    [12_400_000_000n, "$12.40", "$12.40"],
    [1_234_567_890_123_456_789n, "$1,234,567,890.12", "$1,234,567,890.123456789"],
    [-4_213_750n, "-$0.0042", "-$0.00421375"],
  ])("%d nano-dollars read %s and are exactly %s", (nano, short, exact) => {
    expect(shortMoney(nano)).toBe(short);
    expect(exactMoney(nano)).toBe(exact);
  });
  it("is never less than itself where it is the least", () => {
    expect([1n, 49_999n, 50_000n, 12_400_000_000n].map(leastMoney)).toEqual([
      "$0.000000001",
      "$0.000049999",
      "$0.0001",
      "$12.40",
    ]);
  });
  it("keeps digits that a float would lose", () => {
    expect(exactMoney(toNano("9007199254740993"))).toBe("$9,007,199.254740993");
  });
});

describe("durations", () => {
  it.each([
    [0, "0 ms"],
    [0.01, "<0.1 ms"],
    [0.42, "0.4 ms"],
    [3.25, "3.3 ms"],
    [840, "840 ms"],
    [999.6, "1 s"],
    [1_240, "1.2 s"],
    [9_949, "9.9 s"],
    [59_400, "59 s"],
    [59_600, "1 m"],
    [190_000, "3 m 10 s"],
    [3_600_000, "1 h"],
    [7_530_000, "2 h 6 m"],
    [356_400_000, "4 d 3 h"],
    [Number.NaN, "—"],
    [-1, "—"],
  ])("%d ms reads %s", (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe("counts", () => {
  it.each([
    [0, "0"],
    [980, "980"],
    [12_345, "12.3 k"],
    [999_999, "1 M"],
    [123_456, "123 k"],
    [4_100_000n, "4.1 M"],
  ])("%d tokens read %s", (count, text) => expect(formatTokens(count)).toBe(text));
  it("groups thousands", () => expect(formatCount(1234567n)).toBe("1,234,567"));
  it("never rounds a part to nothing or to all", () => {
    expect([formatShare(1, 1000), formatShare(999, 1000), formatShare(0, 5), formatShare(5, 5)]).toEqual([
      "<1 %",
      ">99 %",
      "0 %",
      "100 %",
    ]);
  });
  it("has no share of nothing", () => expect(formatShare(0, 0)).toBeNull());
  it("counts one thing in the singular", () => {
    expect([plural(1, "call"), plural(0, "call"), plural(2, "policy", "policies")]).toEqual([
      "1 call",
      "0 calls",
      "2 policies",
    ]);
  });
  it("measures bytes in binary units", () => {
    expect([312, 4200, 2 * 1024 * 1024].map(formatBytes)).toEqual(["312 B", "4.1 KiB", "2 MiB"]);
  });
});

describe("instants", () => {
  const now = Date.parse("2026-11-21T14:00:00Z");
  it.each([
    ["2026-11-21T13:59:58Z", "now"],
    ["2026-11-21T13:59:48Z", "12 s ago"],
    ["2026-11-21T13:57:00Z", "3 m ago"],
    ["2026-11-21T09:00:00Z", "5 h ago"],
    ["2026-11-19T13:00:00Z", "2 d ago"],
    ["2026-11-21T14:05:00Z", "in 5 m"],
    ["2026-11-21T14:59:50Z", "in 1 h"],
    ["2026-11-22T13:59:00Z", "in 1 d"],
    ["2026-11-24T01:00:00Z", "in 2 d"],
    ["2026-11-28T13:59:57Z", "in 7 d"],
  ])("%s is %s", (at, text) => expect(relativeTime(at, now)).toBe(text));
  it("names the zone beside the exact instant", () => {
    expect(exactTime("2026-11-21T13:03:22.184Z", "Europe/Berlin")).toBe("21 Nov 2026, 14:03:22.184 (Europe/Berlin)");
  });
  it("adds the day to a wall time that is not today's", () => {
    expect(clockTime(now - 86_400_000, now)).toMatch(/^20 Nov \d\d:00:00$|^\d+ Nov /);
    expect(clockTime(now, now)).toMatch(/^\d\d:\d\d:\d\d$/);
  });
});
