"use client";

import { SOURCE_BYTES_MAX } from "@quarterdeck/hooks/contract/text/source-limit";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { TextChecker } from "@/components/policies/check/text-checker";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import type { CheckView } from "@/server/policies/schema";

const QUIET_MS = 300;
const CONTEXT_FRESH_MS = 60_000;

export interface Checked {
  /** The checked text, which differs from the shown one during a check. */
  readonly text: string | null;
  readonly view: CheckView | null;
  readonly failure: string | null;
}

const NOT_YET: Checked = { text: null, view: null, failure: null };

/**
 * The check of `text`: the browser's answer, some milliseconds after the last key, and then the
 * server's, which decides.
 */
export function useCheck(text: string, policyId: string): Checked {
  const browser = useBrowserCheck(text, policyId);
  const server = useServerCheck(text, policyId);
  if (server.text === text && server.failure === null) return server;
  if (browser.text === text)
    return { ...browser, failure: server.text === text && !isTooLong(text) ? server.failure : null };
  return server.text === text || browser.text === null ? server : browser;
}

const isTooLong = (text: string): boolean => text.length > SOURCE_BYTES_MAX;

/** The server's check of `text` for publishing: asked a moment after the last change, the latest answer only. */
export function useServerCheck(text: string, policyId?: string): Checked {
  const client = useTRPCClient();
  const [checked, setChecked] = useState(NOT_YET);
  useEffect(() => {
    // Synchronises with the server's reading of the text. It takes no text above the limit, and need not say so again.
    if (isTooLong(text)) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      client.policies.check
        .mutate({ source: text, policyId }, { signal: abort.signal })
        .then((view) => setChecked({ text, view, failure: null }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) setChecked((before) => ({ ...before, text, failure: failureSentence(error) }));
        });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, text, policyId]);
  return checked;
}

/**
 * The check in the browser, in a worker. It loads with the first change: the server checks the text that the page
 * opened with. Does not run until the server's equipment is known.
 */
function useBrowserCheck(text: string, policyId: string): Checked {
  const trpc = useTRPC();
  const { data: context } = useQuery({
    ...trpc.policies.checkContext.queryOptions(),
    staleTime: CONTEXT_FRESH_MS,
  });
  const { data: clients } = useQuery({
    ...trpc.policies.boundClients.queryOptions({ policyId }),
    staleTime: CONTEXT_FRESH_MS,
  });
  const [checked, setChecked] = useState(NOT_YET);
  const unchanged = useRef<string | null>(text);
  const checker = useRef<TextChecker | null>(null);
  useEffect(() => {
    // Synchronises with a worker, which is another thread.
    const started = new TextChecker({
      start: () => new Worker(new URL("./check/check.worker.ts", import.meta.url), { type: "module" }),
      onAnswer: (answered, view) => setChecked({ text: answered, view, failure: null }),
    });
    checker.current = started;
    return () => {
      checker.current = null;
      started.close();
    };
  }, []);
  useEffect(() => {
    // Checked again when the clients are known; until then the rules about them are silent.
    if (unchanged.current === text) return;
    unchanged.current = null;
    if (context) checker.current?.check({ text, context: { ...context, ...(clients && { clients }) } });
  }, [text, context, clients]);
  return checked;
}
