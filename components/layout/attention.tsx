"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { cn } from "@/components/ui/cn";
import { formatCount, plural } from "@/components/ui/format/count";
import type { AttentionView } from "@/server/overview/attention/schema";

/** Health is examined by the server's own time; everything else is pushed. */
const ASK_EVERY_MS = 60_000;
/** The first examination takes a moment. */
const ASK_FIRST_MS = 5_000;

export interface Attention {
  readonly count: number;
  /** "2 reviews waiting". */
  readonly words: string;
  readonly tone: "danger" | "warning" | "info";
}

/** The pages of the navigation with waiting items; pages with none, or with unknown counts, are absent. */
export function useAttention(): Partial<Readonly<Record<keyof AttentionView, Attention>>> {
  useLiveQueries(["reviews", "alerts", "approvals", "agents", "notices"]);
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.attention.counts.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data?.health === null ? ASK_FIRST_MS : ASK_EVERY_MS),
    }),
  );
  return data ? attentionOf(data) : {};
}

export function attentionOf({ reviews, agents, approvals, unreadNotices, alerts, health }: AttentionView) {
  const findings = (health?.failures ?? 0) + (health?.warnings ?? 0);
  return {
    ...(reviews > 0 && {
      reviews: { count: reviews, words: `${plural(reviews, "review")} waiting for you`, tone: "info" },
    }),
    ...(agents !== null &&
      agents > 0 && {
        agents: { count: agents, words: `${plural(agents, "agent")} to look at`, tone: "warning" },
      }),
    ...(approvals > 0 && {
      approvals: { count: approvals, words: `${plural(approvals, "call")} to answer`, tone: "warning" },
    }),
    ...(unreadNotices > 0 && {
      unreadNotices: { count: unreadNotices, words: plural(unreadNotices, "unread notice"), tone: "info" },
    }),
    ...(alerts.firing > 0 && {
      alerts: {
        count: alerts.firing,
        words: `${plural(alerts.firing, "alert")} firing`,
        tone: alerts.isCritical ? "danger" : "warning",
      },
    }),
    ...(health !== null &&
      findings > 0 && {
        health: {
          count: findings,
          words: plural(findings, "finding"),
          tone: health.failures > 0 ? "danger" : "warning",
        },
      }),
  } satisfies Partial<Record<keyof AttentionView, Attention>>;
}

const LOOKS: Readonly<Record<Attention["tone"], string>> = {
  danger: "bg-deny-soft text-deny",
  warning: "bg-ask-soft text-ask",
  info: "bg-accent-soft text-accent-text",
};
const DOTS: Readonly<Record<Attention["tone"], string>> = {
  danger: "bg-deny-solid",
  warning: "bg-ask-solid",
  info: "bg-accent",
};

/** A dot in the corner of a button. */
export function AttentionDot({ attention: { tone } }: { attention: Attention }) {
  return (
    <span aria-hidden className={cn("pointer-events-none absolute top-1 right-1 size-2 rounded-full", DOTS[tone])} />
  );
}

/** The number next to a tab. */
export function AttentionCount({ attention: { count, words, tone } }: { attention: Attention }) {
  return (
    <>
      <span className="sr-only">, {words}</span>
      <span
        aria-hidden
        title={words}
        className={cn("min-w-5 rounded-full px-1.5 text-center font-medium text-xs tabular-nums", LOOKS[tone])}
      >
        {formatCount(count)}
      </span>
    </>
  );
}

/** The number next to a place of the rail; a dot where there is no room. */
export function AttentionBadge({ attention, compact }: { attention: Attention; compact: boolean }) {
  return (
    <>
      <span className="sr-only">, {attention.words}</span>
      <span
        aria-hidden
        title={attention.words}
        className={cn(
          compact
            ? cn("absolute top-1 right-2 size-1.5 rounded-full", DOTS[attention.tone])
            : cn(
                "ml-auto min-w-5 rounded-full px-1.5 text-center font-medium text-xs tabular-nums",
                LOOKS[attention.tone],
              ),
        )}
      >
        {compact ? null : formatCount(attention.count)}
      </span>
    </>
  );
}
