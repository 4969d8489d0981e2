/**
 * The key of a recorded event: its instant and its id. Both are needed, because an event may be reported long after it
 * happened.
 */
import { z } from "zod";

/** Years that PostgreSQL and JavaScript agree about. */
export const recordedInstant = z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2200-01-01T00:00:00Z"));

export const eventKey = z.strictObject({ occurredAt: recordedInstant, id: z.uuid() });
export type EventKey = z.infer<typeof eventKey>;

/** The key as text in a URL: `1795300000000.0199f3b2-…`. */
export const eventKeyText = ({ occurredAt, id }: EventKey): string => `${occurredAt.getTime()}.${id}`;

/** The key in a text; null when `schema` accepts none. */
export function parseEventKey(text: string | null, schema: z.ZodType<EventKey> = eventKey): EventKey | null {
  const [, ms, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/i.exec(text ?? "") ?? [];
  return schema.safeParse({ occurredAt: new Date(Number(ms)), id: id?.toLowerCase() }).data ?? null;
}
