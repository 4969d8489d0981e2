/** The verification of one period: the entries that it covers, and the facts that it leaves for the statement. */
import type { Checkpoint } from "../../audit/checkpoint.ts";
import { REMOVALS_MAX, type Removal, type StatementFacts, type StatementPeriod } from "../../audit/statement-schema.ts";
import type { VerificationReport } from "../../audit/verify.ts";
import type { Pool } from "../../platform/db.ts";
import * as evidence from "../repository.ts";
import { countPeriod, findPeriodRange, listRemovals, type RemovalRow } from "./period-repository.ts";
import { resultOf } from "./verification-result.ts";
import type { VerificationBase, VerificationProgress } from "./verification-step.ts";

/**
 * The start of the verification of a period. It begins with the last entry before the period, and ends with the first
 * entry behind it or, if that is later, with the first checkpoint from outside behind it. So an entry that was cut or
 * dated anew at either end is found.
 */
export async function beginPeriod(
  pool: Pool,
  workspaceId: string,
  period: StatementPeriod,
  outside: readonly Checkpoint[] | null,
): Promise<{ readonly base: VerificationBase | null; readonly step: VerificationProgress }> {
  const { before, last, after } = await findPeriodRange(pool, workspaceId, period);
  const head = (await evidence.findHead(pool, workspaceId)) ?? { seq: 0, hash: "" };
  const previous = before > 1 ? await evidence.findLastEntry(pool, workspaceId, before - 1) : null;
  const start = previous && (await evidence.findEntry(pool, workspaceId, previous.seq));
  const signed = (outside ?? [])
    .filter(({ workspace, seq }) => workspace === workspaceId && seq >= (last ?? before) && seq <= head.seq)
    .reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  // Without an entry behind the period, or a checkpoint there, only the head of the chain says where it ends.
  const isEnd = after === null || !Number.isFinite(signed);
  const to = isEnd ? head.seq : Math.max(after, signed);
  const hash = to === head.seq ? head.hash : ((await evidence.findEntry(pool, workspaceId, to))?.hash ?? "");
  return {
    base: start && { seq: start.seq, hash: start.hash, at: start.at, earlier: null },
    step: { to, hash, position: start?.seq ?? 0, follows: 0, window: null, day: null, verify: null },
  };
}

/**
 * Selects the checkpoints that concern a period. One that names an entry behind the end of the chain concerns it only
 * while no entry behind the period exists: then the entries that were cut off may be of the period.
 */
export async function periodCheckpoints(
  pool: Pool,
  workspaceId: string,
  period: StatementPeriod,
): Promise<(outside: readonly Checkpoint[] | null) => readonly Checkpoint[] | null> {
  const { after } = await findPeriodRange(pool, workspaceId, period);
  if (after === null) return (outside) => outside;
  const { head, last } = await evidence.findEnd(pool, workspaceId);
  return (outside) => outside?.filter(({ seq }) => seq <= Math.max(head, last)) ?? null;
}

export interface PeriodReport {
  readonly period: StatementPeriod;
  readonly report: VerificationReport;
  readonly outside: readonly Checkpoint[] | null;
  readonly now: Date;
}

export async function createStatementFacts(
  pool: Pool,
  workspaceId: string,
  { period, report, outside, now }: PeriodReport,
): Promise<StatementFacts> {
  const { first, last, after } = await findPeriodRange(pool, workspaceId, period);
  const counts = await countPeriod(pool, workspaceId, period);
  const removals = await listRemovals(pool, workspaceId, { ...period, limit: REMOVALS_MAX });
  const { head } = await evidence.findEnd(pool, workspaceId);
  const { altered, missing, notes } = resultOf(report);
  const { lastOutside, fitting } = report.checkpoints;
  const isFound = report.altered.count + report.missing.count > 0;
  const isCovered = lastOutside !== null && lastOutside.seq >= (last ?? report.entries.from - 1);
  const beyond = (outside ?? []).reduce((most, { seq }) => Math.max(most, seq), 0);
  const isOver = now.toISOString() >= period.to;
  return {
    verdict: isFound ? "incomplete" : isCovered ? "complete" : "unknown",
    isOver,
    entries: { first, last, ...counts },
    verified: {
      ...{ from: report.entries.from, to: report.entries.to, entries: report.entries.count },
      dispatches: report.dispatches?.held ?? 0,
    },
    checkpoints: { compared: fitting, lastOutside },
    ...{ altered, missing },
    notes: [
      ...(isOver ? [] : ["The period is not over: the statement covers it up to the time of the verification."]),
      ...notes,
      ...(beyond > head && after !== null
        ? [
            `A checkpoint names entry ${beyond}, but the record ends at entry ${head}: entries after this period are missing.`,
          ]
        : []),
    ],
    removals: removals.map(removalOf),
    removalCount: removals[0]?.total ?? 0,
  };
}

function removalOf({ seq, at, kind, by, body }: RemovalRow): Removal {
  return { seq, at: at.toISOString(), kind, by, says: removalText(kind, body) };
}

const REMOVAL_TEXTS: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => string>> = {
  content_erased: ({ reason, dispatches }) =>
    `Erased the content of ${counted(String(dispatches ?? "").length / 32)}. Reason: ${String(reason)}`,
  erasure_requested: ({ reason }) => `Requested an erasure. Reason: ${String(reason)}`,
  erasure_finished: ({ erased, held }) =>
    `The erasure is complete: ${counted(Number(erased))} erased, ${counted(Number(held))} kept by a legal hold.`,
  erasure_withdrawn: () => "Withdrew a request for erasure.",
  dispatches_dropped: ({ before, count }) =>
    `Retention removed ${counted(Number(count))} from before ${String(before)}.`,
  data_dropped: ({ before, count, data }) =>
    `Retention removed ${Number(count).toLocaleString("en-US")} rows of ${String(data)} from before ${String(before)}.`,
  demo_removed: ({ count }) => `Removed the demo data: ${counted(Number(count ?? 0))}.`,
  retention_set: () => "Changed how long data is kept.",
};

const counted = (count: number): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? "dispatch" : "dispatches"}`;

function removalText(kind: string, body: string): string {
  try {
    // Holds: an entry's body is a JSON object, and a changed one is a finding of the verification.
    return REMOVAL_TEXTS[kind]?.(JSON.parse(body) as Record<string, unknown>) ?? kind;
  } catch {
    return "The text of this entry cannot be read.";
  }
}
