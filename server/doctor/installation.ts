/** Examines the running server for one workspace, and keeps the newest result for the badge of the Health page. */
import { LRUCache } from "lru-cache";
import { countOpen } from "../circuit-breakers/index.ts";
import type { Database } from "../platform/db.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { examine, type Patient } from "./examine.ts";
import type { ExaminationView } from "./schema.ts";

import { sumTelemetryStates } from "./telemetry-state.ts";

/** The parts of the running server that are examined. */
export interface Installation
  extends Pick<Patient, "url" | "confinement" | "findPrograms" | "record" | "mailer" | "pressure"> {
  readonly workerRpc: WorkerRpc;
  readonly machine: Pick<Patient, "dataDir" | "host" | "given">;
}

/** Measures now. */
export async function examineInstallation(
  { machine, workerRpc, ...rest }: Installation,
  db: Database,
  workspaceId: string,
): Promise<ExaminationView> {
  const [openCircuits, telemetry] = await Promise.all([
    countOpen(workerRpc, workspaceId),
    sumTelemetryStates(workerRpc),
  ]);
  const { url, confinement, record, mailer, pressure, findPrograms } = rest;
  const parts = { url, confinement, workerRpc, record, mailer, ...machine };
  const known = { ...(findPrograms && { findPrograms }), ...(pressure && { pressure }) };
  const result = await examine({ db, workspaceId, ...parts, ...known, openCircuits, telemetry });
  newestOf(db).set(workspaceId, { result, startedMs: Date.now() });
  return result;
}

/** An examination measures the disk, the clocks and the mail server; badges refresh all day. */
const MEASURE_EVERY_MS = 300_000;
const WORKSPACES_MAX = 1_000;

interface Newest {
  readonly result: ExaminationView | null;
  readonly startedMs: number;
}
const newestByDatabase = new WeakMap<Database, LRUCache<string, Newest>>();

function newestOf(db: Database): LRUCache<string, Newest> {
  const known = newestByDatabase.get(db) ?? new LRUCache<string, Newest>({ max: WORKSPACES_MAX });
  newestByDatabase.set(db, known);
  return known;
}

/** The newest result of this process, at once; null before the first. An old result starts the next examination. */
export function newestExamination(app: Installation, db: Database, workspaceId: string): ExaminationView | null {
  const newest = newestOf(db).get(workspaceId) ?? { result: null, startedMs: Number.NEGATIVE_INFINITY };
  if (Date.now() - newest.startedMs > MEASURE_EVERY_MS) {
    newestOf(db).set(workspaceId, { ...newest, startedMs: Date.now() });
    // The next one starts on schedule; the Health page shows why one failed.
    examineInstallation(app, db, workspaceId).catch(() => undefined);
  }
  return newest.result;
}
