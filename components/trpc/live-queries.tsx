"use client";

import { type Query, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import {
  type Connection,
  type ConnectionEvent,
  nextConnection,
  notYet,
  STALE_AFTER_MS,
} from "@/components/trpc/connection";
import { heardChanges } from "@/components/trpc/heard";
import { isKeptByRows } from "@/components/trpc/kept-by-rows";
import { openStream } from "@/components/trpc/open-stream";
import { makeRefresher } from "@/components/trpc/query-refresher";
import { shareStream } from "@/components/trpc/shared-stream";
import type { Topic } from "@/server/events/schema";

/** A change this fresh may have happened between a page's prefetch and its first effect. */
const PREFETCH_GAP_MS = 2_000;

interface Live {
  readonly connection: Connection;
  /** True while the server sends changes less often because agents wait. */
  readonly isSlowed: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Declares interest; returns its end. */
type Follow = (topics: readonly Topic[]) => () => void;

const LiveContext = createContext<Live | null>(null);
/** Separate from the state, so that a change of the connection does not look like a new subscription. */
const FollowContext = createContext<Follow | null>(null);

/** Routers that change with others' topics, or whose topic has another name; the others have their own topic. */
const TOPICS_OF: Readonly<Record<string, readonly Topic[]>> = {
  ...{ circuitBreakers: ["circuits"], coverage: ["coverage"] },
  ...{ ledger: ["costs"], prices: ["costs"], statements: ["costs"] },
  calendar: ["costs", "budgets"],
  // A person sets and ends monitor mode.
  shadowMode: ["observations", "policies"],
  // Policies decide which agents a budget blocks.
  budgets: ["budgets", "policies"],
  drills: ["agents"],
  // A call waits until its request is answered.
  decisions: ["decisions", "calls", "approvals"],
  followUps: ["decisions"],
  // A policy's page shows which of its rules are in force.
  rules: ["rules", "policies"],
  // The draft of a policy has a live test.
  backtest: ["policies"],
  inventory: ["agents", "policies"],
  knownCalls: ["prompts"],
  // Calls of local executors are the agents'.
  halts: ["halts", "agents"],
  setup: ["agents", "policies", "approvals"],
  attention: ["reviews", "alerts", "approvals", "notices"],
};

/** True if a query belongs to one of these topics: tRPC keys begin with the path of the procedure. */
export function isAbout(query: Pick<Query, "queryKey">, topics: ReadonlySet<string>): boolean {
  const [path] = query.queryKey;
  if (!Array.isArray(path) || typeof path[0] !== "string") return false;
  return (TOPICS_OF[path[0]] ?? [path[0]]).some((topic) => topics.has(topic));
}

/**
 * Live changes for the queries on screen. Mounted in the shell, around every component that calls `useLiveQueries`.
 * Tabs of one `scope`, a person in a workspace, share one stream; without a scope there is no stream.
 */
export function LiveProvider({ scope, children }: { scope: string | null; children: ReactNode }) {
  const client = useTRPCClient();
  const [connection, setConnection] = useState(notYet);
  const [paused, setPaused] = useState(false);
  const [isSlowed, setSlowed] = useState(false);
  const { followed, changed, follow } = useInterests();

  useEffect(() => {
    // Synchronises with the server's stream of changes.
    if (paused || scope === null) return;
    const on = (event: ConnectionEvent) => setConnection((now) => nextConnection(now, event, Date.now()));
    const everything = () => [...followed.current.keys()];
    const end = shareStream(`quarterdeck live ${scope}`, (handlers) => openStream(client, handlers), {
      onChange(change) {
        setSlowed(change.isSlowed === true);
        if (change.heard !== undefined) heardChanges.note(change.heard);
        changed(change.refetch ? everything() : change.topics);
      },
      onStarted(isBehind) {
        on("connected");
        if (isBehind) changed(everything());
      },
      onLost() {
        setSlowed(false);
        heardChanges.forget();
        on("lost");
      },
    });
    return () => {
      heardChanges.forget();
      end();
    };
  }, [client, paused, followed, changed, scope]);

  useEffect(() => {
    // Synchronises with the clock: lost for long enough is stale.
    if (connection.status !== "reconnecting") return;
    const timer = setTimeout(
      () => setConnection((now) => nextConnection(now, "gone_stale", Date.now())),
      STALE_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [connection.status]);

  const live = useMemo<Live>(
    () => ({
      connection,
      isSlowed,
      pause: () => {
        setPaused(true);
        setConnection((now) => nextConnection(now, "paused", Date.now()));
      },
      resume: () => {
        setPaused(false);
        setConnection((now) => nextConnection(now, "resumed", Date.now()));
      },
    }),
    [connection, isSlowed],
  );
  return (
    <FollowContext value={follow}>
      <LiveContext value={live}>{children}</LiveContext>
    </FollowContext>
  );
}

/** The topics that are on screen, and the ways to follow them and to refresh what changed. */
function useInterests() {
  const queries = useQueryClient();
  const followed = useRef(new Map<Topic, number>());
  const changedAt = useRef(new Map<Topic, number>());

  const changed = useMemo(() => {
    const refresher = makeRefresher(queries);
    return (topics: readonly Topic[]) => {
      const moved = new Set<string>(topics);
      const wanted = new Set<string>(topics.filter((topic) => followed.current.has(topic)));
      for (const topic of topics) changedAt.current.set(topic, performance.now());
      for (const query of queries.getQueryCache().getAll()) {
        if (isKeptByRows(query)) continue;
        if (query.isActive() && isAbout(query, wanted)) void refresher.refresh(query.queryHash);
        // The query has no observer now: it is refetched when a component mounts it.
        else if (isAbout(query, moved)) query.invalidate();
      }
    };
  }, [queries]);

  const follow = useCallback<Follow>(
    (topics) => {
      const counts = followed.current;
      for (const topic of topics) counts.set(topic, (counts.get(topic) ?? 0) + 1);
      const missed = topics.filter(
        (topic) => performance.now() - (changedAt.current.get(topic) ?? Number.NEGATIVE_INFINITY) < PREFETCH_GAP_MS,
      );
      if (missed.length > 0) queueMicrotask(() => changed(missed));
      return () => {
        for (const topic of topics) {
          const left = (counts.get(topic) ?? 1) - 1;
          if (left > 0) counts.set(topic, left);
          else counts.delete(topic);
        }
      };
    },
    [changed],
  );
  return { followed, changed, follow };
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error("LiveProvider is missing above this component");
  return value;
}

/** While mounted, queries of these routers follow the server. `topics` by value: a literal array is fine. */
export function useLiveQueries(topics: readonly Topic[]): void {
  const follow = present(use(FollowContext));
  const key = topics.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the joined names stand for the array
  useEffect(() => follow(topics), [follow, key]);
}

/** The state of the live connection and the person's switch. */
export function useConnection(): Live {
  return present(use(LiveContext));
}
