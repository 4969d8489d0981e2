/** Starting, stopping and finding live tests. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { get as policyOf, readText } from "../../policies/index.ts";
import * as runs from "../run-service.ts";
import { sha256Of } from "../source-digest.ts";
import * as live from "./live-repository.ts";
import { LIVE_LIMITS, type LiveTestView, type StartLiveTest } from "./live-schema.ts";

const DAY_MS = 24 * 3_600_000;

/** Errors: `policy_moved_on` if the draft has changed, `policy_invalid` with every problem, `invalid_input`, `busy`. */
export async function start(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { policyId, draftVersion, percent, until }: StartLiveTest,
): Promise<{ id: string }> {
  const { workspaceId, id: byId, name: by } = actor;
  requireEnd(until);
  const { source, draftVersion: version } = await policyOf(db, workspaceId, policyId);
  if (version !== draftVersion) throw new AppError("policy_moved_on", policyId);
  if (version === 0) throw new AppError("invalid_input", policyId, { says: NO_DRAFT });
  const { hooks, problems } = await readText(byId, source);
  if (!hooks) throw new AppError("policy_invalid", undefined, { says: UNREADABLE, problems });
  const run = { id: uuidv7(), policyId, source, sha256: sha256Of(source), percent, until, by, byId };
  await announcedTransaction({ db, bus }, workspaceId, ["policies"], async (tx) => {
    if (!(await live.insert(tx, workspaceId, run))) throw new AppError("busy", "live tests", { says: TOO_MANY });
    await recordAudit(tx, actor, {
      ...{ kind: "live_test_started", version: 1, by, policy: policyId, run: run.id, sha256: run.sha256 },
      ...{ percent, until: until?.toISOString() ?? null },
    });
  });
  return { id: run.id };
}

function requireEnd(until: Date | null): void {
  if (until === null) return;
  const aheadMs = until.getTime() - Date.now();
  if (aheadMs <= 0) throw new AppError("invalid_input", undefined, { says: PAST });
  if (aheadMs > LIVE_LIMITS.daysMax * DAY_MS) throw new AppError("invalid_input", undefined, { says: TOO_LATE });
}

const NO_DRAFT = "The policy has no draft. Change its text, then start the live test.";
const UNREADABLE = "The text has problems. Correct them, then start the live test again.";
const TOO_MANY = `This policy has a live test, or ${LIVE_LIMITS.openMax} live tests of this workspace follow calls. Stop one first.`;
const PAST = "The end is in the past. Choose a later date.";
const TOO_LATE = `Results are kept for ${LIVE_LIMITS.daysMax} days. Choose an earlier end.`;
const NAME_CHARS_MAX = 200;

/** Stops the policy's live test; its result stays. Errors: `backtest_not_found`. */
export async function stop(db: Database, bus: Bus, actor: Administrator, policyId: string): Promise<void> {
  const { workspaceId, name: by } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["policies"], async (tx) => {
    const run = await live.stop(tx, workspaceId, policyId, `Stopped by ${by.slice(0, NAME_CHARS_MAX)}.`);
    if (!run) throw new AppError("backtest_not_found", policyId);
    const { id, sha256, looked, skipped } = run;
    const entry = { kind: "live_test_stopped", version: 1, by, policy: policyId, run: id } as const;
    await recordAudit(tx, actor, { ...entry, sha256, looked, skipped });
  });
}

/** The live test of the policy's draft; null without one. */
export async function get(db: Database, workspaceId: string, policyId: string): Promise<LiveTestView | null> {
  const runId = await live.findOfDraft(db.pool, workspaceId, policyId);
  if (runId === null) return null;
  const asked = { policyId, runId };
  const [run, newVerdicts] = await Promise.all([
    runs.get(db, workspaceId, asked),
    runs.newVerdicts(db, workspaceId, asked),
  ]);
  return { run, newVerdicts };
}
