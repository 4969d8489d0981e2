/** The status of an agent and of its keys at an instant. Pure. */
import type { AgentView, KeyView } from "@/server/agents/schema";

export type AgentStatus =
  /** It has never sent an event. */
  | "never_reported"
  /** No policy binds it: everything it asks is answered with nothing. */
  | "unbound"
  /** Its last event was answered under another set of revisions than the one in force. */
  | "drifted"
  /** A policy in force for it cannot stop its calls. */
  | "unheld"
  | "current";

/** The worst that is true of the agent. */
export function agentStatusOf({
  lastRevision,
  revisionInForce,
  unheld = [],
}: Pick<AgentView, "lastRevision" | "revisionInForce"> & Partial<Pick<AgentView, "unheld">>): AgentStatus {
  // Reports of events elsewhere are answered without a revision.
  const used = lastRevision === "" ? null : lastRevision;
  if (revisionInForce === "none") return "unbound";
  if (unheld.length > 0) return "unheld";
  if (used === null) return "never_reported";
  return used === revisionInForce ? "current" : "drifted";
}

export type KeyState = "live" | "expired" | "revoked";

export function keyStateOf(
  { revokedAt, expiresAt }: Pick<KeyView, "revokedAt" | "expiresAt">,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? "expired" : "live";
}

/**
 * The URL for enrolment: the server's own, unless that is a loopback address and the browser is on another machine.
 * Then it is the browser's origin.
 */
export function enrolmentUrl(own: string, origin: string): string {
  return isLoopback(own) && !isLoopback(origin) ? origin : own;
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || hostname === "::1" || /^127\./.test(hostname);
}
