/** The facts of a stored dispatch. */
import type { z } from "zod";
import { dispatchFacts } from "../recording/index.ts";

export type DispatchFacts = z.infer<typeof dispatchFacts>;

/** Null when they cannot be read: the row was altered, or is from a newer release. */
export function readFacts(text: string | null): DispatchFacts | null {
  try {
    return dispatchFacts.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
