/** Hooks that failed too often to be started: which, since when, and trying one now. State of this node's processes. */

import type { Breakers, Confinement } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { list as listPolicies } from "../policies/index.ts";
import type { CircuitView, ConfinementView } from "./schema.ts";

const ERROR_CHARS_MAX = 500;
const ID_CHARS = 32;

/** An open circuit, in messages between processes. */
const openCircuit = z.object({
  /** The same for the same hook in every process. */
  id: z.string(),
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  hook: z.string(),
  failures: z.number(),
  lastError: z.string(),
  openForMs: z.number(),
  retryInMs: z.number(),
});
type OpenCircuit = z.infer<typeof openCircuit>;
const told = z.array(openCircuit);
const chosen = z.object({ workspaceId: z.string(), id: z.string() });

const OPEN = "open circuits";
const TRY = "try a circuit";

/** Lets the other processes of the node ask about the breakers of this one. */
export function answerCircuits(workerRpc: WorkerRpc, breakers: Breakers): void {
  workerRpc.answer(OPEN, (workspaceId) => openIn(breakers, String(workspaceId)));
  workerRpc.answer(TRY, (input) => {
    const { workspaceId, id } = chosen.parse(input);
    const matching = breakers.open(workspaceId).filter((one) => idOf(one.hook) === id);
    return matching.filter((one) => breakers.tryNow(workspaceId, one.id)).length;
  });
}

type Hook = ReturnType<Breakers["open"]>[number]["hook"];

const idOf = ({ origin, path }: Hook): string =>
  sha256(JSON.stringify([origin.policy ?? "", origin.revision ?? 0, path]))
    .toString("hex")
    .slice(0, ID_CHARS);

function openIn(breakers: Breakers, workspaceId: string): OpenCircuit[] {
  return breakers.open(workspaceId).map(({ hook, failures, lastError, openForMs, retryInMs }) => ({
    id: idOf(hook),
    policy: hook.origin.policy ?? "",
    revision: hook.origin.revision ?? 0,
    path: hook.path,
    hook: truncateText(hook.name, ERROR_CHARS_MAX),
    failures,
    lastError: truncateText(lastError, ERROR_CHARS_MAX),
    openForMs,
    retryInMs,
  }));
}

/**
 * Merges the open circuits of one hook in several processes: open since the first, and tried when the next process
 * tries.
 */
async function openOf(workerRpc: WorkerRpc, workspaceId: string): Promise<OpenCircuit[]> {
  const hooks = new Map<string, OpenCircuit>();
  for (const value of await workerRpc.ask(OPEN, workspaceId))
    for (const one of told.parse(value)) {
      const known = hooks.get(one.id);
      const longest = known && known.openForMs > one.openForMs ? known : one;
      hooks.set(one.id, { ...longest, retryInMs: Math.min(one.retryInMs, known?.retryInMs ?? one.retryInMs) });
    }
  return [...hooks.values()].sort((a, b) => b.openForMs - a.openForMs);
}

/** The number of the workspace's hooks that this node leaves alone. */
export async function countOpen(workerRpc: WorkerRpc, workspaceId: string): Promise<number> {
  return (await openOf(workerRpc, workspaceId)).length;
}

/** The open circuits of a workspace, longest open first. */
export async function list(db: Database, workerRpc: WorkerRpc, workspaceId: string): Promise<CircuitView[]> {
  const open = await openOf(workerRpc, workspaceId);
  if (open.length === 0) return [];
  const nowMs = Date.now();
  const ids = new Map((await listPolicies(db, workspaceId)).map((policy) => [policy.name, policy.id]));
  return open.map(({ openForMs, retryInMs, ...circuit }) => ({
    ...circuit,
    policyId: ids.get(circuit.policy) ?? null,
    openedAt: new Date(nowMs - openForMs),
    retryAt: new Date(nowMs + retryInMs),
  }));
}

/** Lets the next dispatch try a hook, and records it in the audit log. False when its circuit is no longer open. */
export async function tryNow(
  { db, bus, workerRpc }: { readonly db: Database; readonly bus: Bus; readonly workerRpc: WorkerRpc },
  actor: Administrator,
  id: string,
): Promise<boolean> {
  const { workspaceId } = actor;
  const circuit = (await openOf(workerRpc, workspaceId)).find((one) => one.id === id);
  if (!circuit) return false;
  const { policy, revision, path: hook } = circuit;
  await db.prisma.$transaction((tx) =>
    recordAudit(tx, actor, { kind: "hook_tried", version: 1, by: actor.name, policy, revision, hook }),
  );
  const tried = await workerRpc.ask(TRY, { workspaceId, id });
  bus.tell(workspaceId, ["circuits"]);
  return tried.some((count) => Number(count) > 0);
}

/** Omits the reasons, which describe the machine: those are for the operator (doctor, log). */
export function confinementOf({ sandbox, features, network, limits }: Confinement): ConfinementView {
  return { sandbox, features: [...features], network, limits };
}
