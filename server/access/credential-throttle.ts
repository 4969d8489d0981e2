import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { createSharedFailureThrottle, type FailureThrottle } from "./failure-throttle.ts";

/** An agent that lost its key asks about once a second: that is not guessing yet. */
export const GUESS_LIMITS = { failuresMax: 200, windowMs: 60_000 };

/** Counts failed credentials by client, for all processes of a node. */
export const createCredentialThrottle = (workerRpc: WorkerRpc): FailureThrottle =>
  createSharedFailureThrottle(GUESS_LIMITS, workerRpc, "credentials");
