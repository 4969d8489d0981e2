/**
 * A decision as text in a URL: its instant and its dispatch, `1795300000000.0199f3b2-…`. Both are needed, because events
 * may be reported long after they happened.
 */
import { type DecisionKey, decisionKey } from "@/server/decisions/schema";

export const keyText = ({ occurredAt, id }: DecisionKey): string => `${occurredAt.getTime()}.${id}`;

/** The key a text says; null when it says none. */
export function parseKey(text: string | null): DecisionKey | null {
  const [, ms, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/i.exec(text ?? "") ?? [];
  const parsed = decisionKey.safeParse({ occurredAt: new Date(Number(ms)), id });
  return parsed.success ? parsed.data : null;
}
