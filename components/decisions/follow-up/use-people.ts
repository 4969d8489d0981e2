"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** The people whom calls can be assigned to, by name; empty until they are known. */
export function usePeople(enabled: boolean): readonly Assignable[] {
  const trpc = useTRPC();
  return useQuery({ ...trpc.followUps.people.queryOptions(), enabled }).data ?? NO_PEOPLE;
}

interface Assignable {
  readonly id: string;
  readonly name: string;
}
const NO_PEOPLE: readonly Assignable[] = [];
