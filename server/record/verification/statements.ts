/** Statements about the record of a period: started by a person, verified by the jobs' process, handed out as files. */
import type { Actor } from "../../access/actor.ts";
import { fileDigest } from "../../audit/cover-seal.ts";
import { sealStatement } from "../../audit/statement.ts";
import {
  type Statement,
  type StatementPeriod,
  statementFacts,
  statementPeriod,
  statement as statementShape,
} from "../../audit/statement-schema.ts";
import { listDayStarts } from "../../calendar/index.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { productVersion } from "../../platform/product-version.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { archiveOf } from "../cover/cover-archive.ts";
import { statementCover } from "../cover/statement-cover.ts";
import { findWorkspaceName, listKeys } from "../repository.ts";
import { findRun, listRuns, type RunRow, startRun } from "./verification-runs.ts";
import type { StartStatement, StatementView } from "./verification-schema.ts";

const SHOWN = 20;
const DAY_MS = 86_400_000;

/**
 * Starts the verification of a period. Errors: `verification_running` while another verification of the workspace runs,
 * `invalid_input` for a period that has not begun.
 */
export async function startStatement(
  db: Database,
  bus: Bus,
  { workspaceId, name }: Pick<Actor, "workspaceId" | "name">,
  { first, last }: StartStatement,
): Promise<{ id: string }> {
  const next = new Date(Date.parse(last) + DAY_MS).toISOString().slice(0, 10);
  const [begin, end] = await listDayStarts(db.pool, workspaceId, [first, next]);
  if (!begin || !end) throw new AppError("internal", "a day without a start");
  if (begin.starts_at.getTime() > Date.now())
    throw new AppError("invalid_input", undefined, { says: "This period has not begun. Choose an earlier one." });
  const period: StatementPeriod = {
    ...{ first, last, timeZone: begin.time_zone },
    from: begin.starts_at.toISOString(),
    to: end.starts_at.toISOString(),
  };
  const run = { id: uuidv7(), by: name, fromBeginning: false, period };
  const started = await startRun(db.pool, workspaceId, run);
  if (!started.isNew) throw new AppError("verification_running");
  bus.tell(workspaceId, ["audit"]);
  return { id: started.id };
}

/** The newest first. */
export async function listStatements(db: Database, workspaceId: string): Promise<StatementView[]> {
  return (await listRuns(db.pool, workspaceId, SHOWN, true)).map(viewOf);
}

function viewOf({
  id,
  state,
  startedBy,
  startedAt,
  finishedAt,
  failure,
  from,
  to,
  position,
  ...row
}: RunRow): StatementView {
  return {
    ...{ id, state, startedBy, startedAt, finishedAt, failure, from, to, position },
    period: statementPeriod.parse(row.period),
    facts: row.statement === null ? null : statementFacts.parse(row.statement),
  };
}

/** The statement as JSON, HTML and PDF in one archive. Errors: `not_found` until the verification has a result. */
export async function createStatementFile(
  db: Database,
  workspaceId: string,
  id: string,
  secrets: Secrets,
): Promise<{ name: string; archive: string }> {
  const row = await findRun(db.pool, workspaceId, id);
  if (row === null || row.period === null || row.statement === null || row.finishedAt === null)
    throw new AppError("not_found");
  const period = statementPeriod.parse(row.period);
  const keys = (await listKeys(db.pool, workspaceId)).map(({ id: keyId, publicKey }) => ({ id: keyId, publicKey }));
  if (!keys.some((key) => key.id === secrets.signingKeyId)) {
    const publicKey = secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString();
    keys.push({ id: secrets.signingKeyId, publicKey });
  }
  const statement: Statement = statementShape.parse({
    ...{ type: "quarterdeck-statement", version: 1, product: productVersion(), workspace: workspaceId },
    name: await findWorkspaceName(db.pool, workspaceId),
    ...{
      period,
      askedBy: row.startedBy,
      askedAt: row.startedAt.toISOString(),
      verifiedAt: row.finishedAt.toISOString(),
    },
    ...statementFacts.parse(row.statement),
    keys,
  });
  const text = sealStatement(statement, secrets);
  const name = "statement.json";
  const document = statementCover(statement, { name, sha256: fileDigest(text) }, secrets.signingKeyId);
  const archive = await archiveOf({ workspace: workspaceId, name, text }, document, secrets);
  return { name: `record-${period.first}-to-${period.last}.zip`, archive: archive.toString("base64") };
}
