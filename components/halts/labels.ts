/** The texts for halts: in rows, dialogs and the strip of every page. */
import { plural } from "@/components/ui/format/count";
import type { HaltPreview, HaltScope, HaltView } from "@/server/halts/schema";

export const SCOPE_LABELS: Readonly<Record<HaltScope, string>> = {
  workspace: "The whole workspace",
  group: "A group of agents",
  agent: "One agent",
  session: "One session",
};

/** The Stop dialog's default reason, so that an urgent halt needs no typing. It is recorded like any other. */
export const DEFAULT_REASON = "Emergency stop";

/** The count before a halt: "Stops 3 agents and 5 sessions in progress." */
export function previewSentence(scope: HaltScope, preview: HaltPreview): string {
  const agents = countText(preview.agents, preview.agentsCut, "agent");
  const sessions =
    preview.sessions === 0 && !preview.sessionsCut
      ? "no sessions in progress"
      : `${countText(preview.sessions, preview.sessionsCut, "session")} in progress`;
  if (scope === "session") {
    const isIdle = preview.sessions === 0 && !preview.sessionsCut;
    return isIdle ? "This session is not active. The halt denies the session's next call." : `Stops ${sessions}.`;
  }
  if (preview.agents === 0 && scope === "agent")
    return "This agent is retired or removed. The gateway already refuses its calls.";
  if (preview.agents === 0) return "No agents to stop now. Agents that join later are stopped too.";
  return `Stops ${agents} and ${sessions}.`;
}

const countText = (count: number, isCut: boolean, noun: string): string =>
  `${isCut ? "at least " : ""}${plural(count, noun)}`;

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
