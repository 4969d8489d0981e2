/** Decides for whom a call is made. Everything it reads came with the look-up of the agent's key: no call waits. */
import type { AgentActor } from "../access/actor.ts";
import type { CallPrincipal, KnownPeople } from "../access/principal-schema.ts";
import { sessionKey } from "./session-key.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * The owner of the key counts, unless it is only guessed; then the person whom telemetry names for the session, or for
 * the session that it is a part of; then the person of the agent's session before, as a guess. Null: unknown.
 *
 * `named` is the person in the telemetry record itself.
 */
export function principalOfCall(
  { worksFor }: Pick<AgentActor, "worksFor">,
  input: Members,
  named?: string,
): CallPrincipal | null {
  const people = worksFor?.people;
  const stated = named ?? (people === undefined ? undefined : personOfSession(people, input));
  const owner = people?.owner ?? null;
  if (owner !== null && owner.certainty !== "guessed")
    return stated === undefined || stated === owner.id ? owner : { ...owner, named: stated };
  if (stated !== undefined) return { certainty: "stated", id: stated, source: "telemetry" };
  worksFor?.refresh();
  const latest = people?.latest ?? null;
  return latest === null ? owner : { certainty: "guessed", id: latest, source: "earlier_session" };
}

function personOfSession({ sessions }: KnownPeople, { session_id, parent_session_id }: Members): string | undefined {
  if (sessions.size === 0) return undefined;
  return sessions.get(sessionKey(session_id)) ?? sessions.get(sessionKey(parent_session_id));
}
