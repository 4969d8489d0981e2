"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { dayBefore, formatDay } from "@/components/ui/format/day";
import { Link } from "@/components/ui/link";
import type { ZoneView } from "@/server/calendar/schema";

export interface WorkspaceDaysProps {
  /** "Days", or "Days and months". */
  of?: string;
  /** The time that is shown; now when absent. */
  range?: { readonly from: Date; readonly to: Date };
  className?: string;
}

/** "Days in Europe/Berlin": the zone that days are counted in, named where they are shown. */
export function WorkspaceDays({ of = "Days", range, className = "text-faint text-sm" }: WorkspaceDaysProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.calendar.view.queryOptions());
  if (!data) return null;
  return (
    <span className={className}>
      {of} in{" "}
      <Link href="/settings/calendar" className="link">
        {range ? zonesText(data.zones, range) : data.timeZone}
      </Link>
    </span>
  );
}

/** The zones of a range: "UTC until 9 Nov 2026, then Europe/Berlin". */
export function zonesText(
  zones: readonly ZoneView[],
  { from, to }: { readonly from: Date; readonly to: Date },
): string {
  const within = zones.filter(({ startsAt }, index) => {
    const endsAt = zones[index + 1]?.startsAt ?? null;
    return (startsAt === null || startsAt < to) && (endsAt === null || endsAt > from);
  });
  return within
    .map(({ timeZone }, index) => {
      const next = within[index + 1]?.fromDay;
      return next ? `${timeZone} until ${formatDay(dayBefore(next))}` : timeZone;
    })
    .join(", then ");
}
