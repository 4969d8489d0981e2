"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { ACT_PARAM } from "@/components/layout/palette/verbs";

/**
 * Runs the act in the address (`?do=create`) once, and removes it from the address, so that a reload does not run it
 * again.
 */
export function useRequestedAct(acts: Readonly<Record<string, () => void>>): void {
  const [act, setAct] = useQueryState(ACT_PARAM, parseAsString);
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const run = act === null ? undefined : latest.current[act];
    if (!run) return;
    void setAct(null, { history: "replace" });
    run();
  }, [act, setAct]);
}
