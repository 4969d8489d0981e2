/** A change that was made through one process binds the next request at every other one of its node. */
import type { WorkerRpc } from "../platform/worker-rpc.ts";

const CAUGHT_UP = "has heard of what was committed";

export function answerCaughtUp(workerRpc: WorkerRpc, bus: { catchUp(): Promise<void> }): void {
  workerRpc.answer(CAUGHT_UP, async () => {
    await bus.catchUp();
    return true;
  });
}

/**
 * Resolves when every process of this node has processed all earlier commits; a process that does not answer is not
 * waited for.
 */
export async function untilHeardEverywhere(workerRpc: WorkerRpc): Promise<void> {
  // In a single process, the commit itself has announced the change.
  if (!workerRpc.isAlone) await workerRpc.ask(CAUGHT_UP);
}
