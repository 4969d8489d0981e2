"use client";

import { type KeyState, keyStateOf } from "@/components/agents/standing";
import { useNow } from "@/components/ui/format/clock";
import { Mark } from "@/components/ui/mark";
import type { KeyView } from "@/server/agents/schema";

const FACES = {
  live: { tone: "allow", label: "active" },
  expired: { tone: "canceled", label: "expired" },
  revoked: { tone: "deny", label: "revoked" },
} as const satisfies Record<KeyState, unknown>;

/** What a key does now. */
export function KeyMark({ apiKey }: { apiKey: KeyView }) {
  const now = useNow(60_000);
  const { tone, label } = FACES[keyStateOf(apiKey, now ?? apiKey.createdAt.getTime())];
  return <Mark tone={tone} label={label} />;
}

/** How many keys open the door; none is said as such. */
export function KeyCount({ keys }: { keys: readonly KeyView[] }) {
  const now = useNow(60_000);
  const live = keys.filter((key) => keyStateOf(key, now ?? key.createdAt.getTime()) === "live").length;
  if (live > 0) return <span>{live === 1 ? "1 key" : `${live} keys`}</span>;
  return <Mark tone="deny" label="no key" look="plain" />;
}
