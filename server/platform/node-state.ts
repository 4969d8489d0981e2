/** The state of a node's processes, which the supervisor keeps for all of them. */
import { z } from "zod";
import type { WorkerRpc } from "./worker-rpc.ts";

/** The roles of a node: it has all of them, or one alone. */
export const ROLES = ["gateway", "console", "jobs"] as const;
export type Role = (typeof ROLES)[number];
/** The kinds of processes: one for each role, and the scans process next to the jobs process. */
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
  /** The fault of the embedded database, as a sentence; null without a fault. */
  database: z.string().nullable(),
  /** By kind; a kind that runs elsewhere is absent. */
  roles: z.object({ gateway: roleState, console: roleState, jobs: roleState, scans: roleState }).partial(),
});
export type NodeState = z.infer<typeof nodeState>;

const QUESTION = "node";

export function answerNodeState(workerRpc: WorkerRpc, read: () => NodeState): void {
  workerRpc.answer(QUESTION, read);
}

/** Null in a single process, which has no supervisor. Errors: the supervisor does not answer. */
export async function askNodeState(workerRpc: WorkerRpc): Promise<NodeState | null> {
  if (workerRpc.isAlone) return null;
  for (const value of await workerRpc.ask(QUESTION)) {
    const state = nodeState.safeParse(value).data;
    if (state) return state;
  }
  throw new Error("the supervisor does not answer");
}
