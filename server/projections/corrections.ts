/** Moves sums of the log as corrections moved the stored ones. */
import {
  CORRECTIONS_SQL,
  type CorrectionRow,
  correctionOf,
  SESSION_CORRECTIONS_SQL,
  sumByBucket,
  UNITS,
} from "../costs/index.ts";
import type { AllSums, SessionSums } from "../recording/index.ts";
import type { Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";

type Cells = AllSums["minutes"];
type Adds = ReturnType<typeof sumByBucket>[number]["sums"];

/** Adds the corrections of the span's calls to its cells. */
export async function correctCells(reader: Snapshot, { workspaceId, from, to }: Span, sums: AllSums): Promise<void> {
  const cells = { minute: byKey(sums.minutes), hour: byKey(sums.hours), day: byKey(sums.days) };
  for await (const page of reader.pages<CorrectionRow>(CORRECTIONS_SQL, [workspaceId, from, to])) {
    const corrections = page.map(correctionOf);
    for (const unit of UNITS)
      for (const bucket of sumByBucket(corrections, unit)) {
        const cell = cells[unit].get(keyOf(bucket));
        if (cell) move(cell.counts, bucket.sums);
      }
  }
}

const byKey = (cells: Cells) => new Map(cells.map((cell) => [keyOf(cell), cell]));

type Key = Pick<Cells[number], "bucket" | "agentId" | "agentName" | "modelId">;
const keyOf = ({ bucket, agentId, agentName, modelId }: Key): string =>
  JSON.stringify([Date.parse(bucket), agentId, agentName, modelId]);

function move(
  counts: SessionSums["counts"],
  adds: Pick<Adds, "priced" | "free" | "unpriced" | "corrected_nano">,
): void {
  counts.calls_priced = (counts.calls_priced ?? 0n) + adds.priced;
  counts.calls_free = (counts.calls_free ?? 0n) + adds.free;
  counts.calls_unpriced = (counts.calls_unpriced ?? 0n) + adds.unpriced;
  counts.cost_nano = (counts.cost_nano ?? 0n) + adds.corrected_nano;
}

interface SessionRow {
  readonly agent_id: string;
  readonly session_id: string;
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly nano: string;
}

/** Adds the corrections of these sessions' calls to them. */
export async function correctSessions(
  reader: Snapshot,
  workspaceId: string,
  sessions: readonly SessionSums[],
): Promise<void> {
  const known = new Map(sessions.map((one) => [JSON.stringify([one.agentId, one.sessionId]), one]));
  const agents = sessions.map(({ agentId }) => agentId);
  const ids = sessions.map(({ sessionId }) => sessionId);
  const rows = await reader.all<SessionRow>(SESSION_CORRECTIONS_SQL, [workspaceId, agents, ids]);
  for (const { agent_id, session_id, priced, free, unpriced, nano } of rows) {
    const adds = {
      priced: BigInt(priced),
      free: BigInt(free),
      unpriced: BigInt(unpriced),
      corrected_nano: BigInt(nano),
    };
    move(known.get(JSON.stringify([agent_id, session_id]))?.counts ?? {}, adds);
  }
}
