"use client";

import { type KeyState, keyStateOf } from "@/components/agents/standing";
import { useNow } from "@/components/ui/format/clock";
import { Mark } from "@/components/ui/mark";
import type { KeyView } from "@/server/agents/schema";

const FACES = {
  live: { tone: "allow", label: "active" },
  expired: { tone: "canceled", label: "expired" },
  revoked: { tone: "deny", label: "revoked" },
  retired: { tone: "canceled", label: "agent retired" },
} as const satisfies Record<KeyState | "retired", unknown>;

/** What a key does now. */
export function KeyMark({ apiKey, isRetired }: { apiKey: KeyView; isRetired: boolean }) {
  const now = useNow(60_000);
  const state = keyStateOf(apiKey, now ?? apiKey.createdAt.getTime());
  const { tone, label } = FACES[isRetired && state === "live" ? "retired" : state];
  return <Mark tone={tone} label={label} />;
}

/** How many keys open the door; none is said as such. */
export function KeyCount({ keys }: { keys: readonly KeyView[] }) {
  const now = useNow(60_000);
  const live = keys.filter((key) => keyStateOf(key, now ?? key.createdAt.getTime()) === "live").length;
  if (live > 0) return <span>{live === 1 ? "1 key" : `${live} keys`}</span>;
  return <Mark tone="deny" label="no key" look="plain" />;
}
