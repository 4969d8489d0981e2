import { hashKey, InfiniteQueryObserver, QueryClient, type QueryKey } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { follow } from "@/components/decisions/feed/follow-calls";
import type { LiveCallsMessage } from "@/server/decisions/live-calls/schema";
import { decisionFilters } from "@/server/decisions/schema";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A list with a stream that the test speaks for; `reads`: the times of its reads. */
function viewer() {
  let hashes = 0;
  const queryKeyHashFn = (key: QueryKey) => {
    hashes += 1;
    return hashKey(key);
  };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, queryKeyHashFn } } });
  for (let other = 0; other < 20; other += 1) queries.setQueryData([["others"], other], null);
  const queryKey = [["decisions", "calls"], { type: "infinite" }];
  const reads: number[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey,
    queryFn: async () => {
      reads.push(performance.now());
      return { rows: [], nextCursor: null, searched: null };
    },
    initialPageParam: null,
    getNextPageParam: () => null,
  });
  const stop = observer.subscribe(() => undefined);
  let handlers = { onData: (_message: LiveCallsMessage) => {}, onError: () => {} };
  const paces: boolean[] = [];
  const client = {
    decisions: {
      followCalls: {
        subscribe(_asked: object, given: typeof handlers) {
          handlers = given;
          return { unsubscribe: () => undefined };
        },
      },
    },
  };
  const end = follow({
    client: client as never, // holds: the one procedure that is followed
    ...{ queries, filters: decisionFilters.parse({}) },
    current: () => ({ queryKey, range: { from: new Date(0), to: new Date() }, limit: 3 }),
    onPace: (isSlowed) => paces.push(isSlowed),
  });
  return {
    reads,
    paces,
    hashes: () => hashes,
    hear: (message: LiveCallsMessage) => handlers.onData(message),
    lose: () => handlers.onError(),
    end() {
      end();
      stop();
      queries.clear();
    },
  };
}

it("viewers that missed the same read their lists in the same moment", async () => {
  const viewers = [viewer(), viewer(), viewer()];
  for (const one of viewers) one.hear({ kind: "started" });
  await vi.advanceTimersByTimeAsync(2_000);
  // Just after a common moment, so that the next one is the same for all.
  const toMoment = 250 - ((performance.timeOrigin + performance.now()) % 250);
  await vi.advanceTimersByTimeAsync(toMoment + 1);
  for (const one of viewers) one.reads.length = 0;
  for (const one of viewers) {
    one.hear({ kind: "missed" });
    one.hear({ kind: "missed" });
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(viewers.map(({ reads }) => reads)).toEqual([[], [], []]);
  await vi.advanceTimersByTimeAsync(1_000);
  const [first] = viewers[0]?.reads ?? [];
  expect(first).toBeDefined();
  expect(viewers.map(({ reads }) => reads)).toEqual([[first], [first], [first]]);
  for (const one of viewers) one.end();
});

it("the pace of the stream is passed on, and ends with it", async () => {
  const one = viewer();
  one.hear({ kind: "started" });
  one.hear({ kind: "pace", isSlowed: true });
  expect(one.paces).toEqual([true]);
  one.lose();
  expect(one.paces).toEqual([true, false]);
  one.end();
});

it("a change costs the same in a tab with many queries", async () => {
  const one = viewer();
  one.hear({ kind: "started" });
  await vi.advanceTimersByTimeAsync(1_000);
  const before = one.hashes();
  one.hear({ kind: "calls", calls: [] });
  await vi.advanceTimersByTimeAsync(100);
  expect(one.hashes() - before).toBeLessThan(5);
  one.end();
});
