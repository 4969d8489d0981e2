"use client";

import { type KeyState, keyStateOf } from "@/components/agents/agent-status";
import { useNow } from "@/components/ui/format/clock";
import { Mark } from "@/components/ui/mark";
import type { KeyView } from "@/server/agents/schema";

const FACES = {
  live: { tone: "allow", label: "active" },
  expired: { tone: "canceled", label: "expired" },
  revoked: { tone: "deny", label: "revoked" },
  retired: { tone: "canceled", label: "agent retired" },
} as const satisfies Record<KeyState | "retired", unknown>;

/** The state of a key now, to the second, so that a key replaced without a grace period is shown as ended at once. */
export function useKeyState(apiKey: KeyView): KeyState {
  const now = useNow(1_000);
  return keyStateOf(apiKey, now ?? apiKey.createdAt.getTime());
}

/** The state of a key, as a mark; an agent that is retired is answered with none of its keys. */
export function KeyMark({ state, isRetired }: { state: KeyState; isRetired: boolean }) {
  return <Mark {...FACES[isRetired && state === "live" ? "retired" : state]} />;
}
