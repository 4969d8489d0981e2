/**
 * The URL as inputs of the sessions procedures. Pure, so that the server prefetches under the very keys
 * that the browser looks for.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import {
  type EventKind,
  eventKind,
  type ListSessions,
  type SessionRef,
  sessionRef,
  sessionState,
  sessionTrait,
  type TimelineInput,
} from "@/server/sessions/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["agent", "state", "has"] as const;

export type SessionsInput = Omit<ListSessions, "cursor" | "direction">;

export function sessionsInput({ from, to }: { from: Date; to: Date }, filter: Filter): SessionsInput {
  const of = (key: (typeof filterKeys)[number]) => valuesOf(filter, key).slice(0, 50);
  const [states, traits] = [of("state"), of("has")];
  return {
    from,
    to,
    agents: of("agent"),
    states: sessionState.options.filter((option) => states.includes(option)),
    traits: sessionTrait.options.filter((option) => traits.includes(option)),
    text: truncateText(filter.text.trim(), 200, ""),
    limit: 50,
  };
}

/** The session that an address names; null when it names none. */
export function parseSessionRef(agentId: string | null, sessionId: string | null): SessionRef | null {
  const parsed = sessionRef.safeParse({ agentId: agentId ?? "", sessionId: sessionId ?? "" });
  return parsed.success ? parsed.data : null;
}

/** `tool,model` as kinds; none chosen is all of them. */
export function parseEventKinds(text: string | null): EventKind[] {
  const chosen = (text ?? "").split(",");
  return eventKind.options.filter((kind) => chosen.includes(kind));
}

export const timelineInputOf = (
  ref: SessionRef,
  kinds: readonly EventKind[],
  folded: readonly string[],
): TimelineInput => ({ ...ref, kinds: [...kinds], folded: [...folded].slice(0, 200) });

/** Sub-sessions that are folded, as they stand in a URL: their ids are any text, so each is encoded before the commas. */
export const foldedSessionsParam = (ids: readonly string[]): string | null =>
  ids.length === 0 ? null : ids.slice(0, 200).map(encodeURIComponent).join(",");

export function parseFoldedSessions(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .filter((part) => part !== "")
    .slice(0, 200)
    .flatMap((part) => {
      try {
        return [decodeURIComponent(part)];
      } catch {
        return [];
      }
    });
}
