/** The connections that node:cluster passes from the supervisor to a gateway process. */
import type { ChildProcess } from "node:child_process";

interface Handed {
  readonly fd: number;
  close(): void;
}

/**
 * Tracks the connections that were handed to a process and not yet accepted by it. node:cluster keeps each open until
 * the process confirms it, and forgets those of a process that died before: their clients would wait for a timeout.
 * Returns a function that closes them.
 */
export function trackHandedConnections(child: ChildProcess): () => void {
  const handed = new Set<Handed>();
  const send = child.send.bind(child) as (...all: readonly unknown[]) => boolean; // holds: passed on as it came
  child.send = (...all: readonly unknown[]) => {
    const [message, handle] = all;
    if (isNewConnection(message) && isHandle(handle)) {
      for (const earlier of handed) if (earlier.fd < 0) handed.delete(earlier);
      handed.add(handle);
    }
    return send(...all);
  };
  return () => {
    for (const handle of handed) if (handle.fd >= 0) handle.close();
    handed.clear();
  };
}

const isNewConnection = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "act" in message && message.act === "newconn";

/** A closed handle has no descriptor. */
const isHandle = (handle: unknown): handle is Handed =>
  typeof handle === "object" && handle !== null && "fd" in handle && "close" in handle;
