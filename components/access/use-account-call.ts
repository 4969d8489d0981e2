"use client";

import { useState } from "react";
import { callAccount } from "@/components/access/account-call";

/** Sends one account call at a time, and keeps its refusal. */
export function useAccountCall() {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  return {
    isPending,
    failure,
    fail: setFailure,
    /** Returns the response's value, or null when the call was refused; `failure` then holds the reason. */
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
