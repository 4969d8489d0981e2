"use client";

import { replaceEqualDeep } from "@tanstack/react-query";
import { startTransition, useCallback, useEffect, useState } from "react";
import { type PolicyForm, policyForm } from "@/components/policies/document/tree";
import type { PolicyProblem } from "@/server/policies/schema";

/** Reading the text waits for a pause of typing as long as this. */
const QUIET_MS = 120;

export interface Followed {
  /** The newest text that a form can show; what did not change in it is the very same object as before. */
  readonly form: PolicyForm;
  readonly problems: readonly PolicyProblem[];
  /** The reason that the text cannot be edited by form as it is now; null when it can. */
  readonly locked: string | null;
  /** Reads this text at once. */
  catchUp(text: string): void;
}

interface Shown {
  readonly text: string;
  readonly form: PolicyForm;
  readonly locked: string | null;
}

/**
 * A form that follows the text with a short delay: typing waits neither for parsing nor for a hundred cards. Unchanged
 * values keep their identity, so that only the changed cards render again.
 */
export function useFollowed(text: string, found: readonly PolicyProblem[]): Followed {
  const [shown, setShown] = useState(() => {
    const form = policyForm(text);
    return { text, form, locked: form.locked };
  });
  const [problems, setProblems] = useState(found);
  const catchUp = useCallback((next: string) => setShown((before) => read(before, next)), []);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => catchUp(text)), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text, catchUp]);
  useEffect(() => {
    startTransition(() => setProblems((before) => replaceEqualDeep(before, found)));
  }, [found]);
  return { form: shown.form, locked: shown.locked, problems, catchUp };
}

function read(before: Shown, text: string): Shown {
  if (before.text === text) return before;
  const form = policyForm(text);
  if (form.locked !== null) return { text, form: before.form, locked: form.locked };
  return { text, form: replaceEqualDeep(before.form, form), locked: null };
}
