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
import { WIRE_WORD_MAX, WIRE_WORDS_MAX } from "@/server/sessions/word-schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["agent", "state", "has", "ended", "switched"] as const;

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
    turnEnds: wireWordsIn(of("ended")),
    switches: wireWordsIn(of("switched")),
    text: truncateText(filter.text.trim(), 200, ""),
    limit: 50,
  };
}

/** Words that are too long are no agent's: left out, as an unknown state is. */
const wireWordsIn = (words: readonly string[]): string[] =>
  words.filter((word) => word !== "" && word.length <= WIRE_WORD_MAX).slice(0, WIRE_WORDS_MAX);

/** The session in the URL; null without one. */
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

/**
 * Folded sub-sessions as a URL parameter. Ids can be any text, so each is encoded before they are joined with commas.
 */
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
