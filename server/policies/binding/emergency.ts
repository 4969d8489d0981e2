/** The emergency path: one person makes a change alone, with a reason, on record. */
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import type { Unmet } from "../publishing/requirement-gate.ts";
import * as changes from "./repository.ts";

/** Past four eyes. Errors: `forbidden`; `second_person_needed` for a script or a service account. */
export async function recordEmergency(
  tx: InForceTx,
  actor: Administrator,
  request: changes.RequestedChange,
  reason: string,
): Promise<void> {
  await insertEmergency(tx, actor, request, reason);
  await recordAudit(tx, actor, {
    ...{ kind: "four_eyes_overridden", version: 1, by: actor.name, change: request.id },
    ...{ policies: [...request.policyIds], summary: request.summary, reason },
  });
}

/** Past publish requirements. Errors: as of `recordEmergency`. */
export async function recordPastRequirements(
  tx: InForceTx,
  actor: Administrator,
  request: changes.RequestedChange,
  unmet: readonly Unmet[],
  reason: string,
): Promise<void> {
  await recordAudit(tx, actor, {
    ...{ kind: "publish_requirements_overridden", version: 1, by: actor.name, change: request.id },
    ...{ policies: [...request.policyIds], requirements: unmet.map(({ requirement }) => requirement) },
    ...{ summary: request.summary, reason },
  });
}

/** Stores the change as one of an emergency. Errors: as of `recordEmergency`. */
export async function insertEmergency(
  tx: InForceTx,
  actor: Administrator,
  request: changes.RequestedChange,
  reason: string,
): Promise<void> {
  requireMay(actor, "policy:emergency");
  if (actor.kind !== "person")
    throw new AppError("second_person_needed", request.kind, {
      says: "Only a person can use the emergency path, not a script or a service account.",
    });
  await changes.insert(tx, actor.workspaceId, { ...request, note: reason, state: "emergency" });
}
