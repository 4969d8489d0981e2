import { describe, expect, test } from "vitest";
import type { RevisionLine } from "@/server/decisions/rules/revision-schema";
import { changeSentences, comparedLines } from "./revision-text.ts";

const line = (revision: number, fired: number, denied: number, more: Partial<RevisionLine> = {}): RevisionLine => ({
  ...{ revision, publishedAt: null, state: "past", inForceSince: null, fired, outcomes: { denied } },
  latency: fired === 0 ? { p50: null, p95: null, p99: null } : { p50: 10, p95: 40, p99: 50 },
  ...more,
});

describe("the comparison of revisions", () => {
  test("is of the revision in force and the one before it, or of the newest two", () => {
    const [three, two, one] = [line(3, 1, 0), line(2, 1, 0), line(1, 1, 0)];
    const live = { ...two, state: "live" as const };
    expect(comparedLines({ lines: [three, live, one] })).toEqual([live, one]);
    expect(comparedLines({ lines: [three, two, one] })).toEqual([three, two]);
    expect(comparedLines({ lines: [three] })).toBeNull();
    expect(comparedLines({ lines: [] })).toBeNull();
  });

  test("names the change of the share and of the latency in words and numbers", () => {
    const now = line(5, 50, 6, { latency: { p50: 12, p95: 30, p99: null } });
    expect(changeSentences(now, line(4, 1_000, 80))).toEqual([
      "Denied: 12 % of 50 runs, before 8 % of 1,000 runs. The share rose by 4 percentage points.",
      "p50: 12 ms, before 10 ms: 20 % slower.",
      "p95: 30 ms, before 40 ms: 25 % faster.",
    ]);
    expect(changeSentences(line(5, 50, 4), line(4, 100, 8))).toEqual([
      "Denied: 8 % of 50 runs, before 8 % of 100 runs. The share is the same.",
      "p50: 10 ms, the same as before.",
      "p95: 40 ms, the same as before.",
    ]);
  });

  test("has no number where one of them did not run, and no latency that was not measured", () => {
    expect(changeSentences(line(5, 0, 0), line(4, 9, 1))).toEqual([
      "No comparison: revision 5 has not run in this range.",
    ]);
    expect(changeSentences(line(5, 0, 0), line(4, 0, 0))).toEqual([
      "No comparison: revisions 5 and 4 have not run in this range.",
    ]);
    const unmeasured = line(5, 2, 1, { latency: { p50: null, p95: null, p99: null } });
    expect(changeSentences(unmeasured, line(4, 2, 1))).toHaveLength(1);
  });
});
