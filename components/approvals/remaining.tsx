"use client";

import { useAging } from "@/components/ui/format/clock";
import { formatDuration } from "@/components/ui/format/duration";

export interface RemainingProps {
  until: Date;
  isWaiting: boolean;
}

/** The end of a request without an answer, and the time until then. */
export function Remaining({ until, isWaiting }: RemainingProps) {
  const left = useAging(1_000, (now) => {
    const ms = until.getTime() - now;
    if (ms <= 0) return "Expired";
    return `${isWaiting ? "Denied" : "Lapses"} in ${formatDuration(Math.ceil(ms / 1_000) * 1_000)} without an answer`;
  });
  return left === null ? null : (
    <span role="timer" className="tabular-nums">
      {left}
    </span>
  );
}
