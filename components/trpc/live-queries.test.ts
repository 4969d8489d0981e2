import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { type Connection, nextConnection, notYet } from "@/components/trpc/connection";
import { isAbout } from "@/components/trpc/interests";
import { makeRefresher } from "@/components/trpc/query-refresher";
import { minFetchIntervalMs, Refresher } from "@/components/trpc/refresher";
import { appRouter } from "@/server/composition/router";
import { topic } from "@/server/events/schema";

function world() {
  const fetches: { hash: string; finish: () => void }[] = [];
  const waits: number[] = [];
  let nowMs = 0;
  let other: Promise<void> = Promise.resolve();
  let pause: Promise<void> = Promise.resolve();
  const refresher = new Refresher({
    fetch: (hash) => new Promise((finish) => fetches.push({ hash, finish })),
    settled: () => other,
    intervalMs: (hash) => (hash.startsWith("sums") ? 500 : 1),
    nowMs: () => nowMs,
    wait: async (ms) => {
      waits.push(ms);
      await pause;
    },
  });
  return {
    refresher,
    fetches,
    waits,
    tick: (ms: number) => {
      nowMs += ms;
    },
    busy: (until: Promise<void>) => {
      other = until;
    },
    pauses: {
      /** The next pause lasts until the answer is called. */
      hold(): () => void {
        let end = () => {};
        pause = new Promise((finish) => {
          end = finish;
        });
        return () => {
          pause = Promise.resolve();
          end();
        };
      },
    },
  };
}
const flush = () => new Promise<void>((done) => setImmediate(done));

describe("refreshing what changed", () => {
  it("fetches at once when idle", async () => {
    const { refresher, fetches } = world();
    void refresher.refresh("a");
    await flush();
    expect(fetches).toHaveLength(1);
  });
  it("never fetches one query twice at the same time, and fetches once more for all that changed meanwhile", async () => {
    const { refresher, fetches, tick, waits } = world();
    const done = refresher.refresh("a");
    await flush();
    for (let burst = 0; burst < 50; burst++) void refresher.refresh("a");
    await flush();
    expect(fetches).toHaveLength(1);
    tick(80);
    fetches[0]?.finish();
    await flush();
    expect(fetches).toHaveLength(2);
    expect(waits).toEqual([80]);
    fetches[1]?.finish();
    await done;
    expect(fetches).toHaveLength(2);
  });
  it("fetches sums again at the next common moment, half an interval later at least", async () => {
    const { refresher, fetches, tick, waits } = world();
    tick(200);
    const done = refresher.refresh("sums");
    await flush();
    tick(30);
    fetches[0]?.finish();
    await done;
    tick(70); // 300 since the beginning
    const again = refresher.refresh("sums");
    await flush();
    fetches[1]?.finish();
    await again;
    expect(waits).toEqual([270, 700]);
  });
  it("lets queries of a page leave together, though one of them took longer", async () => {
    const { refresher, fetches, tick, waits, pauses } = world();
    const end = pauses.hold();
    const both = [refresher.refresh("sums"), refresher.refresh("sums of agents")];
    await flush();
    tick(30);
    fetches[0]?.finish();
    await flush();
    tick(20);
    fetches[1]?.finish();
    await flush();
    end();
    await Promise.all(both);
    expect(waits).toEqual([470]);
  });
  it("fetches nothing again that did not change", async () => {
    const { refresher, fetches } = world();
    const done = refresher.refresh("sums");
    await flush();
    fetches[0]?.finish();
    await done;
    expect(fetches).toHaveLength(1);
  });
  it("lets a change in a pause wait for its end", async () => {
    const { refresher, fetches, pauses } = world();
    const done = refresher.refresh("sums");
    await flush();
    const end = pauses.hold();
    fetches[0]?.finish();
    await flush();
    void refresher.refresh("sums");
    await flush();
    expect(fetches).toHaveLength(1);
    end();
    await flush();
    expect(fetches).toHaveLength(2);
    fetches[1]?.finish();
    await done;
  });
  it("fetches other queries beside it", async () => {
    const { refresher, fetches } = world();
    void refresher.refresh("a");
    void refresher.refresh("b");
    await flush();
    expect(fetches.map((each) => each.hash)).toEqual(["a", "b"]);
  });
  it("does not take a fetch that began before the change for the answer to it", async () => {
    const { refresher, fetches, busy } = world();
    const ends: (() => void)[] = [];
    busy(new Promise((finish) => ends.push(finish)));
    void refresher.refresh("a");
    await flush();
    expect(fetches).toHaveLength(0);
    for (const end of ends) end();
    await flush();
    expect(fetches).toHaveLength(1);
  });
  it.each([
    ["rows that come quickly", "a", 80, 80],
    ["rows of a busy server", "a", 300, 700],
    ["figures that come quickly", "sums", 200, 300],
    ["figures of a busy server", "sums", 400, 2_100],
  ])("pauses as long as a quick answer took, and much longer for a slow one: %s", async (_name, hash, took, wait) => {
    const { refresher, fetches, tick, waits } = world();
    void refresher.refresh(hash);
    await flush();
    tick(took);
    fetches[0]?.finish();
    await flush();
    expect(waits).toEqual([wait]);
  });
  it("does not take one slow answer for a busy server", async () => {
    const { refresher, fetches, tick, waits } = world();
    const done = refresher.refresh("a");
    for (const [index, took] of [50, 60, 2_000, 70].entries()) {
      await flush();
      if (index < 3) void refresher.refresh("a");
      tick(took);
      fetches[index]?.finish();
    }
    await done;
    expect(waits).toEqual([50, 50, 60, 70]);
  });
  it("remembers how long answers took from one change to the next", async () => {
    const { refresher, fetches, tick, waits } = world();
    for (const [index, took] of [50, 60, 2_000].entries()) {
      const done = refresher.refresh("sums");
      await flush();
      tick(took);
      fetches[index]?.finish();
      await done;
    }
    expect(waits.map((wait) => wait % 500)).toEqual([450, 390, 390]);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  });
  it("pauses no longer than five seconds for a very slow query", async () => {
    const { refresher, fetches, tick, waits } = world();
    void refresher.refresh("a");
    await flush();
    void refresher.refresh("a");
    tick(60_000);
    fetches[0]?.finish();
    await flush();
    expect(waits).toEqual([5_000]);
  });
});

it.each([
  ["rows that are read page by page", [["decisions", "calls"], { type: "infinite" }], 10],
  ["a list", [["policies", "list"], { type: "query" }], 10],
  ["the audit log", [["audit", "list"], { type: "infinite" }], 2_000],
  ["counts beside the audit log", [["audit", "facets"], { type: "query" }], 5_000],
  ["tiles of Home", [["overview", "summary"], { type: "query" }], 50],
  ["tiles of Spend", [["costs", "summary"], { type: "query" }], 50],
  ["other figures", [["compactions", "summary"], { type: "query" }], 500],
  ["percentiles", [["rules", "cards"], { type: "query" }], 5_000],
  ["counts beside filters", [["decisions", "callFacets"], { type: "query" }], 5_000],
  ["a chart", [["decisions", "histogram"], { type: "query" }], 2_000],
  ["agents", [["agents", "search"], { type: "infinite" }], 2_000],
  ["gaps of gates", [["overview", "gaps"], { type: "query" }], 5_000],
  ["sessions", [["sessions", "list"], { type: "infinite" }], 500],
])("fetches as often as it is read: %s", (_name, key, interval) => {
  expect(minFetchIntervalMs(key)).toBe(interval);
});

it("a query with a pace of its own is fetched that often", async () => {
  vi.useFakeTimers();
  try {
    const queries = new QueryClient();
    const fetched = vi.fn(async () => performance.now());
    const options = { queryKey: [["decisions", "calls"], { type: "infinite" }], queryFn: fetched };
    const end = new QueryObserver(queries, { ...options, meta: { refreshEveryMs: 5_000 } }).subscribe(() => undefined);
    const [{ queryHash } = { queryHash: "" }] = queries.getQueryCache().getAll();
    const refresher = makeRefresher(queries);
    for (let at = 0; at < 200; at += 1) {
      void refresher.refresh(queryHash);
      await vi.advanceTimersByTimeAsync(100);
    }
    // Its first two, and one for each common moment.
    expect(fetched.mock.calls.length).toBeGreaterThan(3);
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(2 + 20_000 / 5_000);
    end();
    queries.clear();
  } finally {
    vi.useRealTimers();
  }
});

it("asks again, for each topic that viewers hear of, the queries of a router", () => {
  const routers = Object.keys(appRouter._def.record);
  const without = topic.options.filter(
    (one) => !routers.some((router) => isAbout({ queryKey: [[router, "list"]] }, new Set([one]))),
  );
  // Of the server's own.
  expect(without).toEqual(["log", "keys"]);
});

it("asks again what is in monitor mode when a person sets or ends it", () => {
  expect(isAbout({ queryKey: [["shadowMode", "ruleSums"]] }, new Set(["policies"]))).toBe(true);
});

describe("the connection", () => {
  const stateAfter = (...events: [Parameters<typeof nextConnection>[1], number][]): Connection =>
    events.reduce((state, [event, at]) => nextConnection(state, event, at), notYet);

  it("says since when it has been lost, not since the last attempt", () => {
    expect(stateAfter(["connected", 1], ["lost", 5], ["lost", 9], ["gone_stale", 15])).toEqual({
      status: "stale",
      sinceMs: 5,
    });
  });
  it("is live again as soon as it is connected", () => {
    expect(stateAfter(["connected", 1], ["lost", 5], ["connected", 6])).toEqual({ status: "live", sinceMs: null });
  });
  it("stays paused whatever the network does", () => {
    expect(stateAfter(["connected", 1], ["paused", 2], ["lost", 3], ["connected", 4])).toEqual({
      status: "paused",
      sinceMs: 2,
    });
    expect(stateAfter(["connected", 1], ["paused", 2], ["resumed", 3], ["connected", 4]).status).toBe("live");
  });
  it("counts a first connection that fails as lost", () => {
    expect(stateAfter(["lost", 3])).toEqual({ status: "reconnecting", sinceMs: 3 });
  });
});
