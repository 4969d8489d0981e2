/** Tools of a client that a matcher misses, because it names their kind only as other clients do. */
import type { ClientKnown } from "../client-known.ts";
import { compileMatcher } from "../matcher.ts";
import { type KindInfo, SELECTABLE_KINDS, toolNamesOf } from "../tool-kinds.ts";
import { selectsAll } from "./matchers.ts";

export interface MissedTools {
  readonly client: ClientKnown;
  readonly kind: KindInfo;
  /** The names that the client gives to its tools of the kind. */
  readonly names: readonly string[];
}

/** Empty if the client never raises the event, which other findings report, or has no known name for the kind. */
export function listMissedTools(matcher: string, event: string, clients: readonly ClientKnown[]): MissedTools[] {
  return listMatchedKinds(matcher).flatMap(({ kind, matches }) =>
    clients.flatMap((client) => {
      const names = client.tools[kind.kind] ?? [];
      const isMissed = names.length > 0 && !names.some(matches) && (client.events[event] ?? []).length > 0;
      return isMissed ? [{ client, kind, names }] : [];
    }),
  );
}

export interface MatchedKind {
  readonly kind: KindInfo;
  readonly matches: (name: string) => boolean;
}

/** The kinds of which a matcher selects at least one name; empty for a matcher that selects every tool or does not compile. */
export function listMatchedKinds(matcher: string): MatchedKind[] {
  if (selectsAll(matcher)) return [];
  const compiled = compileMatcher(matcher);
  if (!compiled.ok) return [];
  const { matches } = compiled;
  return SELECTABLE_KINDS.filter(({ kind }) => toolNamesOf(kind).some(matches)).map((kind) => ({ kind, matches }));
}
