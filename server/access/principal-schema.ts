/** The person or service that an agent works for, as a call carries it. */
import { z } from "zod";

/**
 * `proven`: the owner took the agent while signed in. `stated`: an admin, a token or the client's telemetry names it.
 * `guessed`: only a hint.
 */
export const CERTAINTIES = ["proven", "stated", "guessed"] as const;
export const certainty = z.enum(CERTAINTIES);
export type Certainty = z.infer<typeof certainty>;

/**
 * The places from which a call's principal is known. `earlier_session`: telemetry named it for the agent's session before.
 * `login`: the person confirmed `quarterdeck login` while signed in.
 */
export const PRINCIPAL_SOURCES = [
  "sign_in",
  "token",
  "console",
  "telemetry",
  "os_user",
  "earlier_session",
  "login",
] as const;
export const principalSource = z.enum(PRINCIPAL_SOURCES);
export type PrincipalSource = z.infer<typeof principalSource>;

export const callPrincipal = z.strictObject({
  certainty,
  id: z.uuid(),
  /** The other principal that telemetry names. The owner of the key counts. */
  named: z.uuid().optional(),
  source: principalSource,
});
export type CallPrincipal = z.infer<typeof callPrincipal>;

/** The owner of an agent and the people whom its telemetry named. */
export interface KnownPeople {
  readonly owner: CallPrincipal | null;
  /** The ids of people, by session. */
  readonly sessions: ReadonlyMap<string, string>;
  /** The person of the session that telemetry named last. */
  readonly latest: string | null;
}

/** The word in filters, columns and groups for calls without a principal. */
export const UNKNOWN_PERSON = "unknown";

/** Ids of people and services that calls were made for, or "unknown". */
export const personFilter = z
  .array(z.union([z.uuid(), z.literal(UNKNOWN_PERSON)]))
  .max(20)
  .default([]);

/** The people as they are known now, from the look-up of the key. */
export interface WorksFor {
  readonly people: KnownPeople;
  /** Telemetry has named a person since the look-up. */
  outdate(): void;
  /** If outdated, looks the people up again in the background, for a session that is not known. No call waits for it. */
  refresh(): void;
}
