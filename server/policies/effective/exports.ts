/** The files that leave the console: one agent's effective policy, or a revision as a bundle. */

import { PROFILES } from "@quarterdeck/hooks";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { ExportBundle } from "../schema.ts";
import { writeBundle } from "../text/bundle.ts";
import { agentFileYaml } from "./agent-policy-response.ts";
import { effectiveSet } from "./effective.ts";

/** docker-agent's agent file of everything that binds the agent of this name. Errors: `agent_not_found`. */
export async function exportAgent(db: Database, workspaceId: string, name: string): Promise<string> {
  const agent = (await policies.listAgentNames(db.prisma, workspaceId)).find((one) => one.name === name);
  if (!agent) throw new AppError("agent_not_found", name, { says: `No agent named "${name}" is enrolled.` });
  return agentFileYaml(await effectiveSet(db, workspaceId, agent.id), agent.name);
}

/** A revision with its text, sha256 and note as one JSON file. Errors: `policy_not_found`, `revision_not_found`. */
export async function exportBundle(db: Database, workspaceId: string, input: ExportBundle): Promise<string> {
  const { policy, number } = input;
  const row =
    "id" in policy
      ? await policies.find(db.prisma, workspaceId, policy.id)
      : await policies.findByName(db.prisma, workspaceId, policy.name);
  if (!row) throw new AppError("policy_not_found");
  const revision = await policies.findRevision(db.prisma, workspaceId, row.id, number ?? row.liveRevision);
  if (!revision)
    throw new AppError("revision_not_found", row.id, { says: "This policy has no such published revision." });
  const profile = PROFILES.find((known) => known === revision.profile) ?? PROFILES[0];
  const { source: text, note } = revision;
  return writeBundle({ name: row.name, revision: revision.number, profile, note, text });
}
