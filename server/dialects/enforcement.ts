/** The versions from which clients can be held, and the clients with blind spots, for questions about a whole fleet. */
import type { ClientCapabilities } from "./capabilities.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import type { ClientName } from "./schema.ts";

export interface ClientEnforcement {
  readonly client: ClientName;
  /** The numbers of the version from which its table of capabilities holds: 2.1.330 as [2, 1, 330]. */
  readonly enforcedFrom: readonly number[];
  readonly hasBlindSpots: boolean;
}

export function listEnforcement(): readonly ClientEnforcement[] {
  // Holds: the table has exactly the clients (clients.ts).
  const all = Object.entries(CLIENT_CAPABILITIES) as [ClientName, ClientCapabilities][];
  return all.map(([client, { enforcedFrom, blindSpots }]) => ({
    ...{ client, hasBlindSpots: blindSpots.length > 0 },
    enforcedFrom: enforcedFrom.split(".").map(Number),
  }));
}
