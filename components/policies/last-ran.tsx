"use client";

import { notRunText } from "@/components/policies/reach-text";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import type { PolicyReachView } from "@/server/decisions/rules/policy-reach-schema";

const POLL_MS = 60_000;

export interface LastRanProps {
  last: PolicyReachView["lastRan"];
  publishedAt: Date | null;
  /** Text before an instant; a rule that did not run has a text of its own. */
  prefix?: string;
}

/** The end of the hour or day of the last run, or the reason that no time is shown. */
export function LastRan({ last, publishedAt, prefix = "" }: LastRanProps) {
  const now = useNow(POLL_MS);
  if (now === null) return null;
  if (last === null) return <span>{notRunText(publishedAt, now)}</span>;
  const unitMs = last.unit === "hour" ? 3_600_000 : 86_400_000;
  const isCurrent = last.at.getTime() + unitMs > now;
  return (
    <span>
      {prefix}
      {isCurrent ? `this ${last.unit}` : <RelativeTime at={new Date(last.at.getTime() + unitMs)} />}
    </span>
  );
}
