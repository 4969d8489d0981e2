/** The clients of the agents that a policy is assigned to, with their abilities. */
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { knownClient } from "../../dialects/index.ts";
import { isClientName } from "../../dialects/schema.ts";
import type { Database } from "../../platform/db.ts";
import { listClients } from "../effective/client-repository.ts";

/** None for agents that have sent nothing yet. */
export async function boundClients(db: Database, workspaceId: string, policyId: string): Promise<ClientKnown[]> {
  const clients = await listClients(db.pool, workspaceId, policyId);
  return clients.filter(isClientName).map((client) => knownClient(client));
}
