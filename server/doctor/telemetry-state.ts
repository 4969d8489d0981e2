/** The state of the telemetry export, from every process that exports. */
import { z } from "zod";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import type { TelemetryState } from "../telemetry/index.ts";

const QUESTION = "telemetry";
const state = z.object({ sent: z.number(), dropped: z.number(), failure: z.string().nullable() });

export function answerTelemetry(workerRpc: WorkerRpc, read: () => TelemetryState): void {
  workerRpc.answer(QUESTION, read);
}

/** The sums over the processes of this node; null when none exports. */
export async function sumTelemetryStates(workerRpc: WorkerRpc): Promise<TelemetryState | null> {
  const states = (await workerRpc.ask(QUESTION)).flatMap((value) => state.safeParse(value).data ?? []);
  if (states.length === 0) return null;
  return states.reduce((sum, one) => ({
    sent: sum.sent + one.sent,
    dropped: sum.dropped + one.dropped,
    failure: sum.failure ?? one.failure,
  }));
}
