import { describe, expect, it } from "vitest";
import { type Connection, nextConnection, notYet } from "@/components/trpc/connection";
import { Refresher } from "@/components/trpc/refresher";

function world() {
  const fetches: { hash: string; finish: () => void }[] = [];
  const waits: number[] = [];
  let nowMs = 0;
  let other: Promise<void> = Promise.resolve();
  const refresher = new Refresher({
    fetch: (hash) => new Promise((finish) => fetches.push({ hash, finish })),
    settled: () => other,
    nowMs: () => nowMs,
    wait: async (ms) => {
      waits.push(ms);
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
  it("pauses no longer than two seconds for a very slow query", async () => {
    const { refresher, fetches, tick, waits } = world();
    void refresher.refresh("a");
    await flush();
    void refresher.refresh("a");
    tick(60_000);
    fetches[0]?.finish();
    await flush();
    expect(waits).toEqual([2_000]);
  });
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
