/** The files that leave the console: one agent's effective policy, or a revision as a bundle. */

import { PROFILES } from "@quarterdeck/hooks";
import { type ExportRelease, listReleases, releaseName, releaseTitle } from "../../dialects/docker-agent/index.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { ExportBundle, ExportNative, NativeExportView } from "../schema.ts";
import { writeBundle } from "../text/bundle.ts";
import { readRevision } from "../text/stored-policy.ts";
import { agentFileYaml, nativeYaml } from "./agent-policy-response.ts";
import { type EnforcedSet, effectiveSet } from "./effective.ts";
import { listMonitoredHooks, memberOf } from "./member.ts";
import { blockFor, chooseRelease, type ExportedBlock, requireGates } from "./native-export.ts";

/**
 * docker-agent's agent file of everything that binds the agent of this name, for one release.
 * Errors: `agent_not_found`, `export_loses_gates`, and `invalid_input` for a release that is not known.
 */
export async function exportAgent(db: Database, workspaceId: string, name: string, release?: string): Promise<string> {
  const { set, chosen } = await agentSource(db, workspaceId, name, release);
  return agentFileYaml(set, name, requireGates(blockFor(set, chosen)));
}

/**
 * The same, or a policy in force as a hooks block, with the releases to choose from and each gate that would be lost.
 * Errors: `agent_not_found`, `policy_not_found`, `revision_not_found`, and `invalid_input` for a release that is not known.
 */
export async function exportNative(
  db: Database,
  workspaceId: string,
  { of, release }: ExportNative,
): Promise<NativeExportView> {
  const isAgent = "agent" in of;
  const source = isAgent
    ? await agentSource(db, workspaceId, of.agent, release)
    : await policySource(db, workspaceId, of.policy, release);
  const { set, chosen, agentVersion } = source;
  const block = blockFor(set, chosen);
  const write = () => (isAgent ? agentFileYaml(set, of.agent, block) : nativeYaml(set, block));
  return { ...viewOf(block, chosen), agentVersion, yaml: block.lost.length > 0 ? null : write() };
}

function viewOf({ lost, leftOut, notes }: ExportedBlock, { release, chosenBy }: ExportRelease) {
  return {
    releases: listReleases().map((one) => ({ name: releaseName(one), title: releaseTitle(one) })),
    release: releaseName(release),
    chosenBy,
    lost: lost.map((one) => ({ ...one })),
    leftOut: leftOut.map((one) => ({ ...one })),
    notes: [...notes],
  };
}

interface ExportSource {
  readonly set: EnforcedSet;
  readonly chosen: ExportRelease;
  readonly agentVersion: string | null;
}

async function agentSource(
  db: Database,
  workspaceId: string,
  name: string,
  release: string | undefined,
): Promise<ExportSource> {
  const agent = (await policies.listAgentNames(db.prisma, workspaceId)).find((one) => one.name === name);
  if (!agent) throw new AppError("agent_not_found", name, { says: `No agent named "${name}" is enrolled.` });
  const chosen = chooseRelease(release, agent);
  const set = await effectiveSet(db, workspaceId, agent.id);
  return { set, chosen, agentVersion: agent.client === "docker-agent" ? agent.clientVersion : null };
}

async function policySource(
  db: Database,
  workspaceId: string,
  name: string,
  release: string | undefined,
): Promise<ExportSource> {
  const chosen = chooseRelease(release, null);
  const row = await policies.findByName(db.prisma, workspaceId, name);
  if (!row) throw new AppError("policy_not_found");
  const revision = await policies.findRevision(db.prisma, workspaceId, row.id, row.liveRevision);
  if (!revision)
    throw new AppError("revision_not_found", row.id, { says: "This policy has no published revision in force." });
  const { number, sha256, createdAt: publishedAt } = revision;
  const stored = { number, sha256, publishedAt, ...readRevision(revision, number) };
  const member = memberOf(row, stored, listMonitoredHooks(stored.hooks, row.monitors, Date.now()));
  return {
    set: { revision: `of ${row.name}`, profile: stored.profile, members: [member] },
    chosen,
    agentVersion: null,
  };
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
