"use client";

import { useMemo } from "react";
import { UNKNOWN_TEXT } from "@/components/principals/certainty-words";
import { usePrincipals } from "@/components/principals/use-principals";
import type { FilterField } from "@/components/ui/filter/suggest";
import { UNKNOWN_PERSON } from "@/server/access/principal-schema";

/** The field of a filter bar that finds by person: every known one, and the unknown person. */
export function usePersonField(): FilterField {
  const { all } = usePrincipals();
  return useMemo(
    () => ({
      key: "person",
      hint: "the person or service behind the agent",
      values: [
        ...all.map(({ id, name }) => ({ value: id, label: name })),
        { value: UNKNOWN_PERSON, label: UNKNOWN_TEXT },
      ],
    }),
    [all],
  );
}
