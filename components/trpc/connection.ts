/** The state of the live connection: live, paused by the person, or lost and since when. */

export type ConnectionStatus = "connecting" | "live" | "paused" | "reconnecting" | "stale";

export interface Connection {
  readonly status: ConnectionStatus;
  /** When it stopped being live, in milliseconds; null while it is. */
  readonly sinceMs: number | null;
}

export type ConnectionEvent = "connected" | "lost" | "paused" | "resumed" | "gone_stale";

/** The time without a connection after which the page says that it is stale. */
export const STALE_AFTER_MS = 10_000;

export const notYet: Connection = { status: "connecting", sinceMs: null };

/** The state after an event; while it stays lost, the time of the first loss is kept. */
export function nextConnection(now: Connection, event: ConnectionEvent, atMs: number): Connection {
  switch (event) {
    case "connected":
      return now.status === "paused" ? now : { status: "live", sinceMs: null };
    case "lost":
      return now.status === "live" || now.status === "connecting" ? { status: "reconnecting", sinceMs: atMs } : now;
    case "gone_stale":
      return now.status === "reconnecting" ? { status: "stale", sinceMs: now.sinceMs } : now;
    case "paused":
      return now.status === "paused" ? now : { status: "paused", sinceMs: now.sinceMs ?? atMs };
    case "resumed":
      return now.status === "paused" ? { status: "connecting", sinceMs: now.sinceMs } : now;
  }
}
