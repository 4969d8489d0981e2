/** The cases a policy is held to: kept, changed, run. */

import type { MaskedCall, Masking } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Administrator } from "../access/actor.ts";
import type { AuditEntry } from "../audit/entries.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { findMasking } from "../masking/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { tasksOf, textWorkers } from "../platform/worker-pool.ts";
import { get } from "../policies/index.ts";
import type * as caseFile from "./case-file.ts";
import { writeCaseFile } from "./case-file.ts";
import { inputOf } from "./input.ts";
import * as rows from "./repository.ts";
import { CASES_MAX, type CaseById, type CaseView, type PolicyCase, policyCase, type SaveCase } from "./schema.ts";

const inWorker = tasksOf<typeof caseFile>(textWorkers, new URL("./case-file.ts", import.meta.url));

export async function listCases(db: Database, workspaceId: string, policyId: string): Promise<CaseView[]> {
  return (await rows.listCases(db.prisma, workspaceId, policyId)).map(viewOf);
}

/** A case made or changed. Errors: `policy_not_found`, `case_not_found`, `name_taken`; `invalid_input` for its input. */
export async function saveCase(db: Database, actor: Administrator, asked: SaveCase): Promise<{ caseId: string }> {
  const { policyId, caseId, ...one } = asked;
  const fields = fieldsOf(one, await findMasking(db.pool, actor.workspaceId));
  await get(db, actor.workspaceId, policyId);
  return db.prisma.$transaction(async (tx) => {
    const id = caseId ?? uuidv7();
    if (caseId === undefined) await insert(tx, actor, policyId, id, fields);
    else await change(tx, actor, policyId, id, fields);
    await recordAudit(tx, actor, saved(actor, policyId, id, fields.name));
    return { caseId: id };
  });
}

/** The same case again under a name of its own. Errors: `case_not_found`. */
export async function duplicateCase(db: Database, actor: Administrator, asked: CaseById): Promise<{ caseId: string }> {
  const all = await listCases(db, actor.workspaceId, asked.policyId);
  const found = all.find(({ id }) => id === asked.caseId);
  if (!found) throw new AppError("case_not_found");
  const { id: _id, isMasked: _masked, createdBy: _by, updatedAt: _at, last: _last, ...one } = found;
  const names = new Set(all.map(({ name }) => name));
  let copy = 2;
  const named = () => `${truncateText(one.name, 110)} (${copy})`;
  while (names.has(named())) copy += 1;
  return saveCase(db, actor, { ...one, name: named(), policyId: asked.policyId });
}

export async function deleteCase(db: Database, actor: Administrator, { policyId, caseId }: CaseById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const gone = await rows.deleteCase(tx, actor.workspaceId, policyId, caseId);
    if (!gone) throw new AppError("case_not_found");
    const { name } = gone;
    const what = {
      kind: "policy_case_deleted",
      version: 1,
      by: actor.name,
      policy: policyId,
      case: caseId,
      name,
    } as const;
    await recordAudit(tx, actor, what);
  });
}

/** All cases as a file that `policy test` and `importCases` read. */
export async function exportCases(db: Database, workspaceId: string, policyId: string): Promise<string> {
  const policy = await get(db, workspaceId, policyId);
  return writeCaseFile(policy.name, await listCases(db, workspaceId, policyId));
}

/**
 * Imports the cases of a file, all or none: cases with a known name are replaced, others are not changed.
 *
 * Errors: `invalid_input` with every problem of the file.
 */
export async function importCases(
  db: Database,
  actor: Administrator,
  { policyId, file }: { readonly policyId: string; readonly file: string },
): Promise<{ added: number; replaced: number }> {
  const { cases, problems } = await inWorker(actor.id, "readCaseFile", file);
  const first = problems[0];
  if (first)
    throw new AppError("invalid_input", undefined, {
      says: `The file has problems: ${first.message} (line ${first.line})`,
      problems,
    });
  const masking = await findMasking(db.pool, actor.workspaceId);
  const all = cases.map((one) => fieldsOf(one, masking));
  await get(db, actor.workspaceId, policyId);
  return db.prisma.$transaction(async (tx) => {
    const known = new Map((await rows.listCases(tx, actor.workspaceId, policyId)).map(({ name, id }) => [name, id]));
    let replaced = 0;
    for (const fields of all) {
      const before = known.get(fields.name);
      const id = before ?? uuidv7();
      if (before) await change(tx, actor, policyId, id, fields);
      else await insert(tx, actor, policyId, id, fields);
      if (before) replaced += 1;
      await recordAudit(tx, actor, saved(actor, policyId, id, fields.name));
    }
    return { added: all.length - replaced, replaced };
  });
}

/** The stored fields of a case. Its input is checked and masked. A case that marks its secrets as made up keeps those. */
function fieldsOf(one: PolicyCase, masking: Masking): rows.CaseFields {
  const call: MaskedCall = inputOf(one.input);
  const input = (one.keepsSecrets ? masking.ownOnly : masking).json(one.input, "input", call);
  const { name, event, lane, expect, judgeReplies, keepsSecrets, runsAgentHooks } = one;
  return {
    name,
    event,
    lane,
    input,
    isMasked: input !== one.input,
    expect,
    judgeReplies,
    keepsSecrets,
    runsAgentHooks,
  };
}

async function insert(tx: Tx, actor: Administrator, policyId: string, id: string, fields: rows.CaseFields) {
  if ((await rows.countCases(tx, actor.workspaceId, policyId)) >= CASES_MAX)
    throw new AppError("invalid_input", undefined, { says: `A policy has at most ${CASES_MAX} cases.` });
  const made = await rows.insertCase(tx, actor.workspaceId, { ...fields, id, policyId, createdBy: actor.name });
  if (!made) throw taken(fields.name);
}

async function change(tx: Tx, actor: Administrator, policyId: string, id: string, fields: rows.CaseFields) {
  const others = await rows.listCases(tx, actor.workspaceId, policyId);
  if (others.some((other) => other.id !== id && other.name === fields.name)) throw taken(fields.name);
  if (!(await rows.updateCase(tx, actor.workspaceId, policyId, id, fields))) throw new AppError("case_not_found");
}

const taken = (name: string) =>
  new AppError("name_taken", undefined, { says: `This policy has a case named "${name}" already.` });

function saved(actor: Administrator, policyId: string, caseId: string, name: string): AuditEntry {
  return { kind: "policy_case_saved", version: 1, by: actor.name, policy: policyId, case: caseId, name };
}

/** A stored case as the runner takes it. */
export function caseOf(row: rows.CaseRow): PolicyCase {
  const { name, event, lane, input, expect, judgeReplies, keepsSecrets, runsAgentHooks } = row;
  return policyCase.parse({ name, event, lane, input, expect, judgeReplies, keepsSecrets, runsAgentHooks });
}

function viewOf(row: rows.CaseRow): CaseView {
  const { id, isMasked, createdBy, updatedAt, lastPassed, lastDiffers, lastRunAt, lastSha256 } = row;
  const last =
    lastPassed === null || lastRunAt === null
      ? null
      : { passed: lastPassed, differs: textsOf(lastDiffers), at: lastRunAt, sha256: lastSha256 ?? "" };
  return { ...caseOf(row), id, isMasked, createdBy, updatedAt, last };
}

const textsOf = (json: unknown): string[] =>
  Array.isArray(json) ? json.filter((one): one is string => typeof one === "string") : [];
