"use client";

import { useState } from "react";
import { callAccount } from "@/components/access/account-call";

/** One account call at a time, with what it refused. */
export function useAccountCall() {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  return {
    isPending,
    failure,
    fail: setFailure,
    /** The value that came back; null when it was refused, and then `failure` says why. */
    async send(path: string, body: Readonly<Record<string, unknown>>) {
      setPending(true);
      setFailure(null);
      const answer = await callAccount(path, body);
      setPending(false);
      if (answer.ok) return answer.value;
      setFailure(answer.failure.says);
      return null;
    },
  };
}
