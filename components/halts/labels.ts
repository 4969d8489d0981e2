/** Halts in words: in rows, dialogs and the strip of every page. */
import type { HaltScope, HaltView } from "@/server/halts/schema";

export const SCOPE_LABELS: Readonly<Record<HaltScope, string>> = {
  workspace: "The whole workspace",
  group: "The agents of a group",
  agent: "One agent",
  session: "One session of an agent",
};

type HaltSubject = Pick<HaltView, "scope" | "about">;

/** The subject as the object of a verb: `halts the agent "ci"`. */
export function subjectText({ scope, about }: HaltSubject): string {
  return scope === "workspace" ? "the whole workspace" : `the ${scope} ${about}`;
}

/** The same at the head of a row. */
export function subjectTitle(halt: HaltSubject): string {
  const text = subjectText(halt);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The sentence with its stop. */
export const closed = (sentence: string): string => sentence.replace(/[.!]?$/, ".");
