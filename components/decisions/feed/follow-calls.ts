/**
 * The rows of one list of calls, from a stream of their own. A browser opens six connections to a server over HTTP/1.1,
 * so a few tabs at most have such a stream; lists of other tabs are fetched after each change.
 */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { type CallPages, type ListOfCalls, mergeCalls } from "@/components/decisions/feed/merge-calls";
import type { useTRPCClient } from "@/components/trpc/client";
import { heardChanges } from "@/components/trpc/heard";
import { keepByRows } from "@/components/trpc/kept-by-rows";
import { makeRefresher } from "@/components/trpc/query-refresher";
import type { LiveCall, LiveCallsMessage } from "@/server/decisions/live-calls/schema";
import type { DecisionFilters } from "@/server/decisions/schema";

const FIRST_TURN = "quarterdeck rows 1";
const SECOND_TURN = "quarterdeck rows 2";
/** An answer may be as old as this when it arrives: what came since is merged into it again (docs/adr/0102). */
const RECENT_MS = 5_000;
const RECENT_CALLS_MAX = 2_000;
const RETRY_MS_MAX = 15_000;
/** Lists are read again at common moments of the clock: viewers that missed the same share an answer. */
const READ_TOGETHER_MS = 250;

export interface FollowedList extends ListOfCalls {
  readonly queryKey: QueryKey;
}

interface FollowCalls {
  readonly client: ReturnType<typeof useTRPCClient>;
  readonly queries: QueryClient;
  readonly filters: DecisionFilters;
  /** The list on screen now: its range moves on. */
  readonly current: () => FollowedList;
  /** Some changes come only when the list is read again, every five seconds. */
  readonly onPace: (isSlowed: boolean) => void;
}

/** Keeps the list up with the stream while this tab has a turn; returns the end of it. */
export function followCalls(of: FollowCalls): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const taken = takeTurn(signal, () => {
    const end = follow(of);
    return new Promise<void>((resolve) => {
      const stop = () => {
        end();
        resolve();
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  });
  taken.catch(() => undefined); // ended before its turn came
  return () => ended.abort();
}

/**
 * Does the work when it is this tab's turn. Other tabs may have their turn first. A browser has no locks over plain HTTP to
 * another machine; then the work is not done.
 */
async function takeTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!("locks" in navigator)) return;
  const isDone = await navigator.locks.request(FIRST_TURN, { ifAvailable: true }, async (lock) => {
    if (lock !== null && !signal.aborted) await work();
    return lock !== null || signal.aborted;
  });
  if (!isDone) await navigator.locks.request(SECOND_TURN, { signal }, work);
}

/** The same in any tab. */
export function follow({ client, queries, filters, current, onPace }: FollowCalls): () => void {
  const list = createLiveList(queries, current);
  let attempts = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe: () => void } | undefined;
  const lose = () => {
    onPace(false);
    list.lose();
  };
  const connect = () => {
    subscription = client.decisions.followCalls.subscribe(
      { filters },
      {
        onData(message: LiveCallsMessage) {
          if (message.kind === "started") attempts = 0;
          if (message.kind === "pace") onPace(message.isSlowed);
          else list.hear(message);
        },
        onConnectionStateChange({ state, error }) {
          if (state === "connecting" && error) lose();
        },
        onError() {
          lose();
          retry = setTimeout(connect, Math.min(1_000 * 2 ** attempts++, RETRY_MS_MAX));
        },
      },
    );
  };
  connect();
  return () => {
    clearTimeout(retry);
    subscription?.unsubscribe();
    onPace(false);
    list.end();
  };
}

/** The hash of a key, computed once for as long as the same key is asked for: each change asks for it many times. */
function createHashOf(queries: QueryClient): (queryKey: QueryKey) => string {
  let known: { readonly queryKey: QueryKey; readonly hash: string } | null = null;
  return (queryKey) => {
    if (known?.queryKey !== queryKey) known = { queryKey, hash: queries.defaultQueryOptions({ queryKey }).queryHash };
    return known.hash;
  };
}

/** The list in the cache, with what the stream brings. */
function createLiveList(queries: QueryClient, current: () => FollowedList) {
  const cache = queries.getQueryCache();
  const refresher = makeRefresher(queries);
  const hashOf = createHashOf(queries);
  // Not cache.find(): it computes the hash again for each query in the cache.
  const find = (): Query | undefined => cache.get(hashOf(current().queryKey));
  let recent: { readonly atMs: number; readonly calls: readonly LiveCall[] }[] = [];
  let release: (() => void) | null = null;
  let reading: ReturnType<typeof setTimeout> | undefined;

  /** The next answer begins after all that this tab has received. */
  function forget(): void {
    recent = [];
    heardChanges.noteOwnChange();
  }

  function read(): void {
    clearTimeout(reading);
    reading = undefined;
    const query = find();
    if (query !== undefined) void refresher.refresh(query.queryHash);
  }

  function readAgain(): void {
    forget();
    read();
  }

  function readTogether(): void {
    forget();
    const nowMs = performance.timeOrigin + performance.now();
    reading ??= setTimeout(read, Math.ceil(nowMs / READ_TOGETHER_MS) * READ_TOGETHER_MS - nowMs);
  }

  function merge(calls: readonly LiveCall[]): void {
    const { queryKey, range, limit } = current();
    const data = queries.getQueryData<CallPages>(queryKey);
    if (data === undefined || calls.length === 0) return;
    const merged = mergeCalls(data, calls, { range, limit });
    if (merged === null) readAgain();
    else queries.setQueryData(queryKey, merged);
  }

  function keep(calls: readonly LiveCall[]): void {
    const nowMs = performance.now();
    const isFetching = find()?.state.fetchStatus === "fetching";
    if (!isFetching) recent = recent.filter(({ atMs }) => nowMs - atMs < RECENT_MS);
    recent.push({ atMs: nowMs, calls });
    if (recent.reduce((sum, one) => sum + one.calls.length, 0) > RECENT_CALLS_MAX) readAgain();
  }

  const stop = cache.subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || event.action.manual === true) return;
    // A fetched answer may have begun before the newest changes came.
    if (event.query === find()) for (const { calls } of [...recent]) merge(calls);
  });

  function lose(): void {
    if (release === null) return;
    release();
    release = null;
  }

  return {
    hear(message: Exclude<LiveCallsMessage, { kind: "pace" }>): void {
      if (message.kind === "calls") {
        keep(message.calls);
        merge(message.calls);
      } else if (message.kind === "missed") readTogether();
      else {
        release ??= keepByRows((query) => query === find());
        readAgain();
      }
    },
    /** Changes after this are fetched, as in a list without a stream. */
    lose() {
      if (release === null) return;
      lose();
      readAgain();
    },
    end() {
      clearTimeout(reading);
      lose();
      stop();
    },
  };
}
