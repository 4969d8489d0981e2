"use client";

import { useState } from "react";
import type { HookNode } from "@/components/policies/document/tree";
import { hookSentences } from "@/components/policies/sentences/rule-sentence";

/** A hook without a sentence yet: only its form can show it. */
export const isUnwritten = (hook: HookNode): boolean =>
  hookSentences(hook, { event: "", matcher: undefined }, []).length === 0;

export interface OpenHooks {
  /** The opened rule of an open hook, from 0; null while the hook is closed. */
  readonly ruleAt: (hook: HookNode) => number | null;
  readonly toggle: (hook: HookNode, rule: number) => void;
  /** Opens the hook that is added at this place. */
  readonly openAt: (where: string) => void;
}

/** The hooks of one list whose form is open. A hook that nothing is written of yet opens at once. */
export function useOpenHooks(hooks: readonly HookNode[]): OpenHooks {
  const [open, setOpen] = useState<ReadonlyMap<string, number>>(
    () => new Map(hooks.filter(isUnwritten).map(({ where }) => [where, 0])),
  );
  return {
    ruleAt: ({ where }) => open.get(where) ?? null,
    toggle: ({ where }, rule) =>
      setOpen((before) => {
        const next = new Map(before);
        if (!next.delete(where)) next.set(where, rule);
        return next;
      }),
    openAt: (where) => setOpen((before) => new Map([...before, [where, 0]])),
  };
}
