"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { TimeMark } from "@/components/charts/prepare/marks";
import { useTRPC } from "@/components/trpc/client";
import type { OverviewMarks } from "@/server/overview/schema";

type Change = OverviewMarks["marks"][number];

const NONE: readonly TimeMark[] = [];
const STALE_MS = 30_000;

/** The changes of the range to mark on a time chart, as its properties. None while they are not known yet. */
export function useMarks({ from, to }: { from: Date; to: Date }) {
  const trpc = useTRPC();
  const options = trpc.overview.marks.queryOptions({ from, to });
  const { data } = useQuery({ ...options, staleTime: STALE_MS, placeholderData: keepPreviousData });
  return useMemo(() => {
    const marks = data?.marks.map((change) => ({ at: change.at, label: changeText(change) })) ?? NONE;
    return { marks, moreMarks: data?.more ?? 0 };
  }, [data]);
}

function changeText({ kind, policy, revision, by }: Change): string {
  if (kind === "frozen") return `changes frozen by ${by}`;
  if (kind === "halted") return `halted by ${by}`;
  const name = policy ?? "a deleted policy";
  return kind === "published"
    ? `${name}, revision ${revision} published by ${by}`
    : `${name} rolled back to revision ${revision} by ${by}`;
}
