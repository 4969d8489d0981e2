"use client";

import { useEffect, useEffectEvent, useState } from "react";
import type { KnownStatus } from "@/components/layout/gateway-status-text";
import { gatewayStatusView } from "@/server/platform/schema";

const ASK_EVERY_MS = 2_000;
const ANSWERS_WITHIN_MS = 4_000;

export interface HeardStatus {
  /** The gateway's newest answer; `asking` before the first. */
  readonly status: KnownStatus;
  /** When the gateway last answered, or when the page began to ask, in milliseconds; null before it asked. */
  readonly heardMs: number | null;
}

/** An older answer says nothing about the present. */
export const ANSWER_AGE_MAX_MS = 10_000;

/** A request that fails says less than a refusal that the gateway stated shortly before: the refusal stays until it is old. */
export function heardAfter(before: HeardStatus, known: KnownStatus, nowMs: number): HeardStatus {
  if (known !== "silent") return { status: known, heardMs: nowMs };
  const { status, heardMs } = before;
  const isRefusal = typeof status !== "string" && (status.state === "blocking" || status.state === "stopping");
  if (isRefusal && heardMs !== null && nowMs - heardMs <= ANSWER_AGE_MAX_MS) return before;
  return { status: known, heardMs: heardMs ?? nowMs };
}

/**
 * The gateway's own health, polled every two seconds while the page is visible. It does not use the query client, which
 * a broken page may lack, and needs neither a sign-in nor the database.
 */
export function useGatewayStatus(onAnsweringAgain?: () => void): HeardStatus {
  const [heard, setHeard] = useState<HeardStatus>({ status: "asking", heardMs: null });
  const notifyAgain = useEffectEvent(() => onAnsweringAgain?.());
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hadTrouble = false;
    const ask = async () => {
      const known = await readStatus(ended.signal);
      if (ended.signal.aborted) return;
      setHeard((before) => heardAfter(before, known, Date.now()));
      const isAnswering = typeof known !== "string" && known.state === "answering";
      if (isAnswering && hadTrouble) notifyAgain();
      hadTrouble = !isAnswering;
      timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    const askAtOnce = () => {
      if (document.visibilityState !== "visible" || timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      void ask();
    };
    // A hidden page's timers are slow: its status may be minutes old when the page becomes visible.
    document.addEventListener("visibilitychange", askAtOnce, { signal: ended.signal });
    void ask();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, []);
  return heard;
}

async function readStatus(ended: AbortSignal): Promise<KnownStatus> {
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
    const response = await fetch("/gateway-status", { signal, cache: "no-store" });
    return gatewayStatusView.safeParse(await response.json()).data ?? "silent";
  } catch {
    return "silent";
  }
}
