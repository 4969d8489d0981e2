"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { UNKNOWN_TEXT } from "@/components/principals/certainty-words";
import { useTRPC } from "@/components/trpc/client";
import { UNKNOWN_PERSON } from "@/server/access/principal-schema";
import type { PrincipalView } from "@/server/principals/schema";

export interface Principals {
  /** The person or service of this id, or the one that it was merged into; null until it is known. */
  find(id: string): PrincipalView | null;
  /** The name for an id, or for "unknown"; the end of an id without a name. */
  nameOf(id: string): string;
  readonly all: readonly PrincipalView[];
}

const NONE: readonly PrincipalView[] = [];

/** The names of the people and services that calls were made for. */
export function usePrincipals(): Principals {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(trpc.principals.names.queryOptions());
  const all = data ?? NONE;
  return useMemo(() => {
    const byId = new Map(all.map((one) => [one.id, one]));
    const find = (id: string) => {
      const found = byId.get(id);
      return (found?.mergedInto ? byId.get(found.mergedInto) : found) ?? null;
    };
    const nameOf = (id: string) =>
      id === UNKNOWN_PERSON ? UNKNOWN_TEXT : (find(id)?.name ?? (isPending ? "…" : id.slice(-8)));
    return { find, nameOf, all: all.filter(({ mergedInto }) => mergedInto === null) };
  }, [all, isPending]);
}
