"use client";

import { useEffect, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import type { CheckView } from "@/server/policies/schema";

const QUIET_MS = 200;

export interface Checked {
  /** The text that was checked; another one than on screen while a check is under way. */
  readonly text: string | null;
  readonly view: CheckView | null;
  readonly failure: string | null;
}

const NOT_YET: Checked = { text: null, view: null, failure: null };

/** What the server would say about publishing `text`: asked a moment after the last change, the latest answer only. */
export function useCheck(text: string): Checked {
  const client = useTRPCClient();
  const [checked, setChecked] = useState(NOT_YET);
  useEffect(() => {
    // Synchronises with the server's reading of the text.
    const abort = new AbortController();
    const timer = setTimeout(() => {
      client.policies.check
        .mutate({ source: text }, { signal: abort.signal })
        .then((view) => setChecked({ text, view, failure: null }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) setChecked((before) => ({ ...before, text, failure: failureSentence(error) }));
        });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, text]);
  return checked;
}
