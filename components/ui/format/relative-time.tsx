"use client";

import { cn } from "@/components/ui/cn";
import { useAging, useNow } from "@/components/ui/format/clock";
import { clockTime, exactTime, type Instant, relativeTime, toDate } from "@/components/ui/format/instant";
import { Tooltip } from "@/components/ui/tooltip";

export interface RelativeTimeProps {
  at: Instant;
  /** `clock` shows the wall time instead ("14:03:22"), for logs and tables read line by line. */
  look?: "relative" | "clock";
  className?: string;
}

/** When it happened: "12 s ago", with the exact instant and the viewer's zone on hover. Only this text ticks. */
export function RelativeTime({ at, look = "relative", className }: RelativeTimeProps) {
  const date = toDate(at);
  const isInstant = !Number.isNaN(date.getTime());
  const age = useAging(1000, (now) =>
    isInstant ? (look === "clock" ? clockTime(date, now) : relativeTime(date, now)) : "—",
  );
  if (!isInstant) return <span className={className}>—</span>;
  const iso = date.toISOString();
  // The server does not know the viewer's zone or clock: until hydration the text is the same on both sides.
  return (
    <Tooltip content={age === null ? null : exactTime(date)}>
      <time dateTime={iso} className={cn("whitespace-nowrap", className)}>
        {age ?? iso.slice(11, 19)}
      </time>
    </Tooltip>
  );
}

/** The exact instant in full, for drawers. */
export function ExactTime({ at, className }: { at: Instant; className?: string }) {
  const known = useNow(60_000) !== null;
  const iso = toDate(at).toISOString();
  return (
    <time dateTime={iso} className={className}>
      {known ? exactTime(at) : iso}
    </time>
  );
}
