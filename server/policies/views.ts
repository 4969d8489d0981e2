/** What the pages read of policies. */
import { z } from "zod";
import { AppError } from "../errors/app-error.ts";
import { countHooks } from "../hooks/contract/tally.ts";
import type { HooksConfig } from "../hooks/index.ts";
import type { Database } from "../platform/db.ts";
import * as policies from "./repository.ts";
import type { PolicyDetailView, PolicyView, RevisionDetailView, RevisionView } from "./schema.ts";

/** What a new policy's editor opens with. */
export const STARTING_SOURCE = `# Hooks run at points of an agent's life. This one reads every shell call before it runs and denies recursive deletes.
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no recursive delete
          type: command
          timeout: 5
          # The call is on stdin as JSON. Exit 2 denies it, and the agent reads what was printed on stderr.
          command: |
            if grep -Eq '(^|[^[:alnum:]_-]|\\\\[nrt])rm +([^;|&]* )?(-[[:alpha:]]*[rR]|--recursive)'; then
              echo "Recursive deletes are not allowed here. Delete single files, or ask a person." >&2
              exit 2
            fi
`;

type AgentNames = ReadonlyMap<string, string>;
// Stored blocks were parsed before they were stored.
const hooksOf = (json: unknown): HooksConfig =>
  z.record(z.string(), z.array(z.looseObject({}))).parse(json) as HooksConfig;

export async function list(db: Database, workspaceId: string): Promise<PolicyView[]> {
  const names = await agentNames(db, workspaceId);
  return (await policies.list(db.prisma, workspaceId)).map((row) => viewOf(row, names));
}

export async function get(db: Database, workspaceId: string, policyId: string): Promise<PolicyDetailView> {
  const row = await policies.find(db.prisma, workspaceId, policyId);
  if (!row) throw new AppError("policy_not_found");
  const publishedSource = row.revisions[0]?.source ?? "";
  return {
    ...viewOf(row, await agentNames(db, workspaceId)),
    source: row.draft?.source ?? (publishedSource || STARTING_SOURCE),
    publishedSource,
    draftVersion: row.draft?.version ?? 0,
    draftUpdatedAt: row.draft?.updatedAt ?? null,
    draftUpdatedBy: row.draft?.updatedBy ?? null,
    draftBaseRevision: row.draft?.baseRevision ?? row.latestRevision,
  };
}

/** The text in force of the policy with this name. */
export async function exportByName(db: Database, workspaceId: string, name: string): Promise<string> {
  const row = await policies.findByName(db.prisma, workspaceId, name);
  const revision = row?.revisions[0];
  if (!revision)
    throw new AppError("policy_not_found", name, { says: `No policy named "${name}" has been published.` });
  return revision.source;
}

export async function revisions(db: Database, workspaceId: string, policyId: string): Promise<RevisionView[]> {
  return (await policies.listRevisions(db.prisma, workspaceId, policyId)).map(revisionViewOf);
}

export async function revision(
  db: Database,
  workspaceId: string,
  policyId: string,
  number: number,
): Promise<RevisionDetailView> {
  const row = await policies.findRevision(db.prisma, workspaceId, policyId, number);
  if (!row) throw new AppError("revision_not_found");
  return { ...revisionViewOf(row), source: row.source };
}

type RevisionRow = Awaited<ReturnType<typeof policies.listRevisions>>[number];

function revisionViewOf({ number, profile, sha256, note, author, createdAt, hooks }: RevisionRow): RevisionView {
  return { number, profile, sha256, note, author, createdAt, hooks: countHooks(hooksOf(hooks)) };
}

async function agentNames(db: Database, workspaceId: string): Promise<AgentNames> {
  return new Map((await policies.listAgentNames(db.prisma, workspaceId)).map(({ id, name }) => [id, name]));
}

function viewOf(row: policies.PolicyRow, names: AgentNames): PolicyView {
  const latest = row.revisions[0];
  const isForAll = row.assignments.some((one) => one.scope === "workspace");
  const targets = row.assignments.flatMap((one) => (one.scope === "agent" && one.targetId ? [one.targetId] : []));
  return {
    id: row.id,
    name: row.name,
    isDemo: row.isDemo,
    createdAt: row.createdAt,
    latestRevision: row.latestRevision,
    publishedAt: latest?.createdAt ?? null,
    publishedBy: latest?.author ?? null,
    note: latest?.note ?? null,
    hasDraft: row.draft !== null,
    scope: isForAll ? "workspace" : targets.length > 0 ? "agent" : "nobody",
    agents: targets.map((id) => ({ id, name: names.get(id) ?? "unknown agent" })),
    hooks: latest ? countHooks(hooksOf(latest.hooks)) : 0,
  };
}
