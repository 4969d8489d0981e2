"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import {
  type Connection,
  type ConnectionEvent,
  nextConnection,
  notYet,
  STALE_AFTER_MS,
} from "@/components/trpc/connection";
import { heardChanges } from "@/components/trpc/heard";
import { createInterests, type Interests } from "@/components/trpc/interests";
import { openStream } from "@/components/trpc/open-stream";
import { shareStream } from "@/components/trpc/shared-stream";
import type { Topic } from "@/server/events/schema";

interface Live {
  readonly connection: Connection;
  /** True while the server sends changes less often because agents wait. */
  readonly isSlowed: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

const LiveContext = createContext<Live | null>(null);
/** Separate from the state, so that a change of the connection does not look like a new subscription. */
const FollowContext = createContext<Interests["follow"] | null>(null);

/**
 * Live changes for the queries on screen. Mounted in the shell, around every component that calls `useLiveQueries`.
 * Tabs of one `scope`, a person in a workspace, share one stream; without a scope there is no stream.
 */
export function LiveProvider({ scope, children }: { scope: string | null; children: ReactNode }) {
  const client = useTRPCClient();
  const [connection, setConnection] = useState(notYet);
  const [paused, setPaused] = useState(false);
  const [isSlowed, setSlowed] = useState(false);
  const queries = useQueryClient();
  const interests = useMemo(() => createInterests(queries), [queries]);

  useEffect(() => {
    // Synchronises with the server's stream of changes.
    if (paused || scope === null) return;
    const on = (event: ConnectionEvent) => setConnection((now) => nextConnection(now, event, Date.now()));
    const end = shareStream(`quarterdeck live ${scope}`, (handlers) => openStream(client, handlers), {
      onChange(change) {
        setSlowed(change.isSlowed === true);
        if (change.heard !== undefined) heardChanges.note(change.heard);
        if (change.refetch) interests.changedAll();
        else interests.changed(change.topics);
      },
      onStarted(isBehind) {
        on("connected");
        if (isBehind) interests.changedAll();
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
  }, [client, paused, interests, scope]);

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
    <FollowContext value={interests.follow}>
      <LiveContext value={live}>{children}</LiveContext>
    </FollowContext>
  );
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
