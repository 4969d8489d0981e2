/** The first enforceable version of each client, and the clients with blind spots, for queries about a whole fleet. */
import type { ClientCapabilities } from "./capabilities.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import type { ClientName } from "./schema.ts";

export interface ClientEnforcement {
  readonly client: ClientName;
  /** The first version that the capability table covers: 2.1.330 as [2, 1, 330]. */
  readonly enforcedFrom: readonly number[];
  readonly hasBlindSpots: boolean;
}

/** The leading numbers of a version: 2.1.330-beta as [2, 1, 330]. */
const VERSION_NUMBERS = /^\d{1,9}(?:\.\d{1,9}){0,5}/;

/** The first version that the client's capability table covers, if `version` is older; null if it is not older or cannot be read. */
export function newerVersionNeeded(client: ClientName, version: string): string | null {
  const { enforcedFrom } = CLIENT_CAPABILITIES[client];
  const numbers = VERSION_NUMBERS.exec(version)?.[0].split(".").map(Number);
  return numbers !== undefined && isOlder(numbers, enforcedFrom.split(".").map(Number)) ? enforcedFrom : null;
}

/** The events that the client raises only in later versions, each with its first version. Empty if the version cannot be read. */
export function eventsOfLaterVersions(client: ClientName, version: string): ReadonlyMap<string, string> {
  const { eventsSince = {} }: ClientCapabilities = CLIENT_CAPABILITIES[client];
  const numbers = VERSION_NUMBERS.exec(version)?.[0].split(".").map(Number);
  const later = Object.entries(eventsSince).filter(
    ([, since]) => numbers !== undefined && isOlder(numbers, since.split(".").map(Number)),
  );
  return new Map(later);
}

/** Compares like PostgreSQL arrays: with a common prefix, the shorter one is older. */
function isOlder(a: readonly number[], b: readonly number[]): boolean {
  const at = b.findIndex((number, index) => number !== a[index]);
  return at !== -1 && (a[at] ?? -1) < (b[at] ?? 0);
}

export function listEnforcement(): readonly ClientEnforcement[] {
  // Holds: the table has exactly the clients (clients.ts).
  const all = Object.entries(CLIENT_CAPABILITIES) as [ClientName, ClientCapabilities][];
  return all.map(([client, { enforcedFrom, blindSpots }]) => ({
    ...{ client, hasBlindSpots: blindSpots.length > 0 },
    enforcedFrom: enforcedFrom.split(".").map(Number),
  }));
}
