/** The results of a sample as people see them. */
import type { Pool } from "../../platform/db.ts";
import { excerptOf } from "../input-excerpt.ts";
import { type RunKey, readCandidates } from "./sample-repository.ts";
import {
  type ListSampled,
  type SampleCounts,
  type SampledCallView,
  type SampleView,
  sampledCall,
} from "./sample-schema.ts";
import * as views from "./sample-views.ts";
import { SAMPLED_KINDS, type SampledKind } from "./sampled-kind-schema.ts";

export interface StoredSample {
  readonly commandsMax: number | null;
  readonly judgesNano: string | null;
  readonly candidates: unknown;
}

/** Null for a run without a sample. */
export async function readSample(pool: Pool, run: RunKey, stored: StoredSample): Promise<SampleView | null> {
  const { commandsMax, judgesNano } = stored;
  if (commandsMax === null && judgesNano === null) return null;
  const [rows, sums] = await Promise.all([views.countSample(pool, run), views.sumAnswers(pool, run)]);
  const isWanted = { command: commandsMax !== null, judge: judgesNano !== null };
  const candidates = readCandidates(stored.candidates);
  const reused = rows.reduce((sum, row) => sum + row.reused, 0);
  const answers = { ...{ asked: sums.asked, unpriced: sums.unpriced, nano: BigInt(sums.nano) }, reused };
  return {
    kinds: SAMPLED_KINDS.filter((kind) => isWanted[kind]).map((kind) => countsOf(kind, candidates[kind], rows)),
    answers: judgesNano === null ? null : { ...answers, nanoMax: BigInt(judgesNano) },
  };
}

function countsOf(kind: SampledKind, of: number, all: readonly views.CountRow[]): SampleCounts {
  const rows = all.filter((row) => row.kind === kind);
  const done = rows.filter(({ state }) => state === "done");
  const sum = (some: readonly views.CountRow[]) => some.reduce((total, { calls }) => total + calls, 0);
  return {
    ...{ kind, of, size: sum(rows), done: sum(done) },
    results: Object.fromEntries(done.flatMap(({ result, calls }) => (result === null ? [] : [[result, calls]]))),
  };
}

/** The calls of a sample that have run. */
export async function listSampledCalls(
  pool: Pool,
  workspaceId: string,
  asked: ListSampled,
): Promise<SampledCallView[]> {
  const rows = await views.listSampled(pool, workspaceId, asked);
  return rows.map(({ input, ...row }) =>
    sampledCall.parse({ ...row, excerpt: input === null ? "" : excerptOf(input) }),
  );
}
