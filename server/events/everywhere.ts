/** A change that was made through one process binds the next request at every other one of its node. */
import type { WorkerRpc } from "../platform/worker-rpc.ts";

const CAUGHT_UP = "has heard of what was committed";

export function answerCaughtUp(workerRpc: WorkerRpc, bus: { catchUp(): Promise<void> }): void {
  workerRpc.answer(CAUGHT_UP, async () => {
    await bus.catchUp();
    return true;
  });
}

/** Settles when every process of this node has heard of what was committed before; one that does not answer is not waited for. */
export async function untilHeardEverywhere(workerRpc: WorkerRpc): Promise<void> {
  // Where there is one process, it was told when it committed.
  if (!workerRpc.isAlone) await workerRpc.ask(CAUGHT_UP);
}
