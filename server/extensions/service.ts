/** Extensions of agents: reports of their machines, the list, and the versions that people accept. */
import { createHash } from "node:crypto";
import { redactText } from "@quarterdeck/hooks";
import { EXTENSION_KINDS } from "@quarterdeck/hooks/contract/extension-kinds";
import type { Administrator, AgentActor } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, announceWithCommit, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import * as reports from "./report-repository.ts";
import * as extensions from "./repository.ts";
import {
  type DecidedExtensions,
  type DecideExtensions,
  type ExtensionReport,
  type ExtensionReported,
  type ExtensionsPage,
  type ExtensionView,
  type ListExtensions,
  PERIOD_MINUTES,
  REPORTS_MAX,
} from "./schema.ts";

export interface ExtensionReports {
  readonly db: Database;
  readonly bus: Bus;
}

/** Changes that are named in one entry of the record. */
const NAMED_MAX = 20;

/** Stores the extensions of one client. Errors: `too_many_inventories`. */
export async function report(
  { db }: Pick<ExtensionReports, "db">,
  actor: AgentActor,
  input: ExtensionReport,
): Promise<ExtensionReported> {
  const { workspaceId, id: agentId } = actor;
  const { client, is_complete: isComplete } = input;
  const of = { agentId, client };
  const project = redactText(input.project ?? "");
  const sent = rowsOf(input, project);
  return await db.prisma.$transaction(async (tx) => {
    if ((await reports.countReport(tx, workspaceId, of)) > REPORTS_MAX)
      throw new AppError("too_many_inventories", agentId, { retryAfterSeconds: PERIOD_MINUTES * 60 });
    const written = await reports.write(tx, workspaceId, of, { extensions: sent, project, isComplete });
    const pruned = written.added > 0 ? await reports.prune(tx, workspaceId, agentId) : 0;
    const { changes, added, removed, unaccepted } = written;
    if (changes.length > 0)
      await recordAudit(tx, actor, {
        ...{ kind: "extensions_changed", version: 1, by: actor.name, agent: agentId, name: actor.name, client },
        count: changes.length,
        changes: changes.slice(0, NAMED_MAX).map(({ kind, ...change }) => ({ extension: kind, ...change })),
      });
    if (changes.length + added + removed + written.returned + pruned > 0)
      await announceWithCommit(tx, workspaceId, ["extensions"]);
    return { extensions: sent.length, added, changed: changes.length, removed, unaccepted };
  });
}

/** One row for each key: a report may name an extension twice. */
function rowsOf({ client, extensions: sent }: ExtensionReport, projectFolder: string): reports.WrittenExtension[] {
  const rows = sent.map(({ kind, scope, version, digest, ...texts }): reports.WrittenExtension => {
    const [name, path] = [redactText(texts.name), redactText(texts.path)];
    const project = scope === "project" ? projectFolder : "";
    const key = createHash("sha256")
      .update(JSON.stringify([client, kind, name, project, path]))
      .digest("hex");
    return { key, kind, name, project, path, version: version === null ? null : redactText(version), digest };
  });
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

export async function list({ pool }: Database, workspaceId: string, input: ListExtensions): Promise<ExtensionsPage> {
  const [found, isReported] = await Promise.all([
    extensions.list(pool, workspaceId, input),
    extensions.isAnyReported(pool, workspaceId),
  ]);
  const shown = found.rows.slice(0, input.limit);
  const last = found.rows.length > input.limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(viewOf),
    next: last ? { sort: last.sort, agentId: last.agentId, key: last.key } : null,
    total: found.total,
    isReported,
  };
}

function viewOf({ sort: _sort, ...row }: extensions.ExtensionRow): ExtensionView {
  return {
    ...row,
    client: CLIENT_NAMES.find((known) => known === row.client) ?? null,
    // The table allows no other kind.
    kind: EXTENSION_KINDS.find((known) => known === row.kind) ?? "plugin",
    project: row.project === "" ? null : row.project,
  };
}

/** Accepts the versions of the rows for all agents of the workspace. Errors: `extension_moved_on`. */
export const accept = (world: ExtensionReports, actor: Administrator, input: DecideExtensions) =>
  decide(world, actor, input, "extensions_accepted");

/** Takes the acceptance of the versions back. Errors: `extension_moved_on`. */
export const withdraw = (world: ExtensionReports, actor: Administrator, input: DecideExtensions) =>
  decide(world, actor, input, "extensions_withdrawn");

async function decide(
  world: ExtensionReports,
  actor: Administrator,
  { extensions: shown }: DecideExtensions,
  kind: "extensions_accepted" | "extensions_withdrawn",
): Promise<DecidedExtensions> {
  const { workspaceId } = actor;
  return await announcedTransaction(world, workspaceId, ["extensions"], async (tx) => {
    const versions = await extensions.listVersions(tx, workspaceId, shown);
    const isMissing = shown.some(({ digest }) => !versions.some((one) => one.digest === digest));
    if (isMissing) throw new AppError("extension_moved_on");
    const decided =
      kind === "extensions_accepted"
        ? await extensions.accept(tx, workspaceId, versions, actor.name)
        : await extensions.withdraw(tx, workspaceId, versions);
    if (decided.length > 0)
      await recordAudit(tx, actor, {
        ...{ kind, version: 1, by: actor.name },
        extensions: decided.map((one) => ({ extension: one.kind, name: one.name, digest: one.digest })),
      });
    return { versions: decided.length };
  });
}
