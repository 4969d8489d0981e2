/** The state of a node's processes, which the supervisor knows and each of them may ask for. */
import { z } from "zod";
import type { WorkerRpc } from "./worker-rpc.ts";

/** Duties that a node may have, and those that one may have alone. */
export const ROLES = ["gateway", "console", "jobs"] as const;
export type Role = (typeof ROLES)[number];
/** The kinds of processes: one for each role, and the scans beside the jobs. */
export const PROCESS_KINDS = [...ROLES, "scans"] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

const roleState = z.object({
  wanted: z.number(),
  running: z.number(),
  /** Since the start; each was replaced. */
  deaths: z.number(),
  lastDeath: z.object({ atMs: z.number(), says: z.string() }).nullable(),
});
export type RoleState = z.infer<typeof roleState>;

const nodeState = z.object({
  /** The fault of the database that runs beside, as a sentence; null when there is none. */
  database: z.string().nullable(),
  /** By kind; one that runs elsewhere is absent. */
  roles: z.object({ gateway: roleState, console: roleState, jobs: roleState, scans: roleState }).partial(),
});
export type NodeState = z.infer<typeof nodeState>;

const QUESTION = "node";

export function answerNodeState(workerRpc: WorkerRpc, read: () => NodeState): void {
  workerRpc.answer(QUESTION, read);
}

/** Null where there is one process, which needs no supervisor. Errors: the supervisor does not answer. */
export async function askNodeState(workerRpc: WorkerRpc): Promise<NodeState | null> {
  if (workerRpc.isAlone) return null;
  for (const value of await workerRpc.ask(QUESTION)) {
    const state = nodeState.safeParse(value).data;
    if (state) return state;
  }
  throw new Error("the supervisor does not answer");
}
