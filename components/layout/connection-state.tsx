"use client";

import type { Connection } from "@/components/trpc/connection";
import { useConnection } from "@/components/trpc/live-queries";
import { cn } from "@/components/ui/cn";
import { useNow } from "@/components/ui/format/clock";
import { clockTime } from "@/components/ui/format/instant";
import { Tooltip } from "@/components/ui/tooltip";

const dots = {
  connecting: "bg-unknown-solid",
  live: "bg-allow-solid",
  paused: "bg-canceled-solid",
  reconnecting: "bg-ask-solid",
  stale: "bg-deny-solid",
} as const;

/** The connection as text: "Live", "Updates slowed", "Reconnecting since 14:03:22". */
export function connectionWords(connection: Connection, nowMs: number | null, isSlowed = false): string {
  const since = connection.sinceMs === null || nowMs === null ? "" : ` since ${clockTime(connection.sinceMs, nowMs)}`;
  switch (connection.status) {
    case "connecting":
      return "Connecting…";
    case "live":
      return isSlowed ? "Updates slowed" : "Live";
    case "paused":
      return `Paused${since}`;
    case "reconnecting":
      return `Reconnecting${since}`;
    case "stale":
      return `Stale${since}`;
  }
}

/** At the foot of the rail: the state of the live connection, and the time since it was lost. */
export function ConnectionState({ compact }: { compact: boolean }) {
  const { connection, isSlowed } = useConnection();
  const now = useNow(10_000);
  const words = connectionWords(connection, now, isSlowed);
  const isHeldBack = isSlowed && connection.status === "live";
  const hint = isHeldBack ? "Agents wait for the server, so pages update less often." : null;
  return (
    <Tooltip content={hint ?? (compact ? words : null)} side="right">
      <div
        role="status"
        className={cn("flex h-7 items-center gap-2 text-muted text-sm", compact ? "justify-center" : "px-2")}
      >
        <span
          aria-hidden
          className={cn("size-2 shrink-0 rounded-full", isHeldBack ? dots.reconnecting : dots[connection.status])}
        />
        <span className={compact ? "sr-only" : "truncate"}>{words}</span>
      </div>
    </Tooltip>
  );
}

/** Where a narrow page hides the rail: the time since which the page is stale. */
export function StaleStrip() {
  const { connection } = useConnection();
  const now = useNow(10_000);
  if (connection.status !== "stale") return null;
  return (
    <p
      role="status"
      className="flex shrink-0 items-center justify-center gap-2 border-ask-line border-b bg-ask-soft px-3 py-1 text-ask text-sm md:hidden"
    >
      <span aria-hidden className={cn("size-2 shrink-0 rounded-full", dots.stale)} />
      {connectionWords(connection, now)}
    </p>
  );
}

/** The sentence for `DataTable`'s `stale`, and for notices; null while everything is pushed. */
export function useStaleSentence(): string | null {
  const { connection } = useConnection();
  const now = useNow(10_000);
  if (now === null || connection.sinceMs === null) return null;
  const since = clockTime(connection.sinceMs, now);
  if (connection.status === "stale")
    return `The live connection dropped at ${since}. No newer data arrives. Reconnecting…`;
  if (connection.status === "paused") return `Live updates have been paused since ${since}.`;
  return null;
}
