"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { gatewayStatusText, type KnownStatus } from "@/components/layout/gateway-status-text";
import { gatewayStatusView } from "@/server/platform/schema";

const ASK_EVERY_MS = 5_000;
const ANSWERS_WITHIN_MS = 4_000;

/**
 * One sentence about agents where something on a page failed, from the gateway itself: it answers while the console and the
 * database do not, and needs no sign-in. Asked without the query client, which a page that broke may not have.
 */
export function GatewayStatus({ onAnsweringAgain }: { onAnsweringAgain?: () => void }) {
  const [status, setStatus] = useState<KnownStatus>("asking");
  const notifyAgain = useEffectEvent(() => onAnsweringAgain?.());
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hadTrouble = false;
    const ask = async () => {
      const known = await readStatus(ended.signal);
      if (ended.signal.aborted) return;
      setStatus(known);
      const isAnswering = typeof known !== "string" && known.state === "answering";
      if (isAnswering && hadTrouble) notifyAgain();
      hadTrouble = !isAnswering;
      timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    void ask();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <span data-state={typeof status === "string" ? status : status.state}>{gatewayStatusText(status, Date.now())}</span>
  );
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
