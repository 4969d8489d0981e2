/** Hooks that failed too often to be started: which, since when, and trying one now. State of this process alone. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import type { Breakers, Confinement } from "../hooks/index.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import { list as listPolicies } from "../policies/service.ts";
import type { CircuitView, ConfinementView } from "./schema.ts";

const ERROR_CHARS_MAX = 500;

/** The open circuits of a workspace, longest open first. */
export async function list(db: Database, breakers: Breakers, workspaceId: string): Promise<CircuitView[]> {
  const open = breakers.open(workspaceId);
  if (open.length === 0) return [];
  const nowMs = Date.now();
  const ids = new Map((await listPolicies(db, workspaceId)).map((policy) => [policy.name, policy.id]));
  return open.map(({ id, hook, failures, lastError, openForMs, retryInMs }) => ({
    id,
    policyId: ids.get(hook.origin.policy ?? "") ?? null,
    policy: hook.origin.policy ?? "",
    revision: hook.origin.revision ?? 0,
    path: hook.path,
    hook: hook.name.slice(0, ERROR_CHARS_MAX),
    failures,
    lastError: lastError.slice(0, ERROR_CHARS_MAX),
    openedAt: new Date(nowMs - openForMs),
    retryAt: new Date(nowMs + retryInMs),
  }));
}

/** Lets the next dispatch try a hook, and says so in the audit log. False when its circuit is not open any more. */
export async function tryNow(
  db: Database,
  bus: Bus,
  breakers: Breakers,
  actor: Administrator,
  id: string,
): Promise<boolean> {
  const circuit = breakers.open(actor.workspaceId).find((one) => one.id === id);
  if (!circuit) return false;
  const { origin, path } = circuit.hook;
  await db.prisma.$transaction((tx) =>
    recordAudit(tx, actor, {
      kind: "hook_tried",
      version: 1,
      by: actor.name,
      policy: origin.policy ?? "",
      revision: origin.revision ?? 0,
      hook: path,
    }),
  );
  const isTried = breakers.tryNow(actor.workspaceId, id);
  bus.announce(actor.workspaceId, ["circuits"]);
  return isTried;
}

export function confinementOf(confinement: Confinement): ConfinementView {
  return { ...confinement, features: [...confinement.features], cutsNetwork: confinement.features.includes("net") };
}
