/** The review of a run: a person accepts the calls that would end looser, and those whose end is unknown. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { independenceIn, reasonAgainstDeciding } from "../reviews/index.ts";
import * as runs from "./review-repository.ts";
import type { BacktestById } from "./run-schema.ts";
import { EMPTY_TALLY, tally as storedTally } from "./tally-schema.ts";

/**
 * Marks a finished run as reviewed. For a policy with four eyes, by a person who has not edited the text.
 *
 * Errors: `backtest_not_found`; `invalid_input` for a run that is not finished; `second_person_needed`.
 */
export async function reviewRun(db: Database, bus: Bus, actor: Administrator, asked: BacktestById): Promise<void> {
  const { workspaceId, id, name } = actor;
  const { policyId, runId } = asked;
  if (actor.kind !== "person") throw new AppError("second_person_needed", runId, { says: ONLY_PEOPLE });
  await announcedTransaction({ db, bus }, workspaceId, ["policies"], async (tx) => {
    const run = await runs.findForUpdate(tx, workspaceId, asked);
    if (!run) throw new AppError("backtest_not_found", runId);
    if (run.state !== "finished") throw new AppError("invalid_input", undefined, { says: NOT_FINISHED });
    const editors = await runs.listEditors(tx, workspaceId, policyId);
    const written = { authorId: editors[0]?.actorId ?? run.askedById, editors, at: run.askedAt };
    const reason = reasonAgainstDeciding(actor, written, await independenceIn(tx, workspaceId), WORDS);
    if (run.fourEyes && reason !== null) throw new AppError("second_person_needed", runId, { says: reason });
    await runs.updateReviewed(tx, workspaceId, runId, { id, name, isSecondPerson: reason === null });
    const { looser, unknown } = storedTally.safeParse(run.tally).data ?? EMPTY_TALLY;
    await recordAudit(tx, actor, {
      ...{ kind: "backtest_reviewed", version: 1, by: name, policy: policyId, run: runId, sha256: run.sha256 },
      ...{ looser, unknown: Object.values(unknown).reduce((sum, count) => sum + (count ?? 0), 0) },
    });
  });
}

const ONLY_PEOPLE = "Only a person can review a backtest, not a script or a service account.";
const NOT_FINISHED = "Only a finished backtest can be reviewed. Wait until it ends, or start another one.";
const OWN = "You wrote this text. A person who has not edited it must review its backtest.";
const WORDS = { own: OWN, edited: OWN };
