import { describe, expect, test } from "vitest";
import { type AlertStatus, holds, nextAlertStatus, readingOf, relativeChange, type Sums } from "./condition.ts";

const MINUTE = 60_000;
const sums = (columns: Record<string, bigint>, cells = 1n): Sums => ({ cells, of: (name) => columns[name] ?? 0n });

describe("what is not known", () => {
  test("is neither zero nor fine: no events, nothing to share by, nothing priced", () => {
    expect(readingOf("gate_denied", sums({}, 0n)).value).toBeNull();
    expect(readingOf("gate_denied", sums({})).value).toBe(0n);
    expect(readingOf("dispatches", sums({}, 0n)).value).toBe(0n);
    expect(readingOf("gate_denied_share", sums({ gate_denied: 0n })).value).toBeNull();
    expect(readingOf("cost", sums({ calls_unpriced: 3n }))).toEqual({ value: null, coverage: 0 });
    expect(readingOf("cost", sums({ calls_unpriced: 1n, calls_priced: 3n, cost_nano: 9n }))).toEqual({
      value: 9n,
      coverage: 0.75,
    });
    const zero = { value: 0n, coverage: null };
    expect(relativeChange(zero, { value: 5n, coverage: null }).value).toBeNull();
    expect(holds({ comparison: "below", threshold: 5n }, null)).toBeNull();
  });
});

test("shares and changes are in thousandths of a percent", () => {
  expect(readingOf("gate_denied_share", sums({ gate_denied: 1n, gates: 8n })).value).toBe(12_500n);
  const [before, now] = [
    { value: 200n, coverage: null },
    { value: 150n, coverage: null },
  ];
  expect(relativeChange(before, now).value).toBe(-25_000n);
  expect(holds({ comparison: "falls_by", threshold: 25_000n }, -25_000n)).toBe(true);
  expect(holds({ comparison: "rises_by", threshold: 25_000n }, -25_000n)).toBe(false);
});

describe("a rule", () => {
  /** The states after each look, a minute apart unless told. */
  function statesOf(looks: readonly (boolean | null)[], forMinutes: number, apartMs = MINUTE): string[] {
    let standing: AlertStatus = { state: "no_data", sinceMs: 0, isTold: false };
    let lastMs: number | null = null;
    return looks.map((isHolding, index) => {
      const atMs = index * apartMs;
      const next = nextAlertStatus(standing, isHolding, { atMs, lastMs, forMinutes });
      standing = { ...next, isTold: next.state === "firing" || (next.state !== "ok" && standing.isTold) };
      lastMs = atMs;
      return next.state;
    });
  }

  test("waits for as long as it was told to, without a break", () => {
    expect(statesOf([true, true, true, false, true], 2)).toEqual(["pending", "pending", "firing", "ok", "pending"]);
    expect(statesOf([true, null, true, true, true], 2)).toEqual(["pending", "no_data", "pending", "pending", "firing"]);
    expect(statesOf([true], 0)).toEqual(["firing"]);
  });

  test("does not count the time in which nobody looked", () => {
    expect(statesOf([true, true, true], 20, 10 * MINUTE)).toEqual(["pending", "pending", "pending"]);
  });

  test("that fired goes on when its data comes back: what is unknown resolves nothing", () => {
    expect(statesOf([true, true, null, true, false], 1)).toEqual(["pending", "firing", "no_data", "firing", "ok"]);
  });
});
