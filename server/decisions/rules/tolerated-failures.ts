/** The gates of a policy in force that allow when they fail, each with how often that happened in the last days. */
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { allowingGateLabel, listAllowingGates } from "@quarterdeck/hooks/contract/lint/allowing-gate";
import { lintedPolicy } from "@quarterdeck/hooks/contract/lint/policy";
import type { Database } from "../../platform/db.ts";
import { findPolicyInForce } from "../../policies/index.ts";
import { HOOK_KEY_MAX, indexKeyText } from "../../recording/index.ts";
import { findToleratedStart, listToleratedFailures } from "./tolerated-failures-repository.ts";
import { ALLOWING_GATES_MAX, TOLERATED_DAYS, type ToleratedFailuresView } from "./tolerated-failures-schema.ts";

const DAY_MS = 86_400_000;

/** Errors: `policy_not_found`. */
export async function getToleratedFailures(
  db: Database,
  workspaceId: string,
  policyId: string,
  nowMs = Date.now(),
): Promise<ToleratedFailuresView> {
  const { name, inForce } = await findPolicyInForce(db, workspaceId, policyId);
  const gates =
    inForce === null
      ? []
      : listAllowingGates(lintedPolicy(inForce.hooks, inForce.profile, { tools: [] })).map(({ hook, entry }) => ({
          ...{ event: entry.event, name: displayName(hook) },
        }));
  const dayFrom = new Date(nowMs - (TOLERATED_DAYS - 1) * DAY_MS);
  const [rows, start] = await Promise.all([
    gates.length === 0
      ? []
      : listToleratedFailures(db.pool, workspaceId, indexKeyText(name, HOOK_KEY_MAX), dayFrom, ALLOWING_GATES_MAX),
    findToleratedStart(db.pool, workspaceId),
  ]);
  const countOf = (event: string, hook: string) =>
    rows.find((row) => row.event === event && row.hook === indexKeyText(hook, HOOK_KEY_MAX))?.count ?? 0;
  // Hooks of one name at one event are counted together.
  const counted = new Map(
    gates.map((gate) => [allowingGateLabel(gate.name, gate.event), countOf(gate.event, gate.name)]),
  );
  return {
    days: TOLERATED_DAYS,
    countedSince: countedSince(start, dayFrom, nowMs),
    gates: [...counted].slice(0, ALLOWING_GATES_MAX).map(([gate, count]) => ({ gate, count })),
  };
}

/** Null where the record covers all of the days. A start that is not known is now. */
function countedSince(
  { since, keptDays, isWhole }: Awaited<ReturnType<typeof findToleratedStart>>,
  dayFrom: Date,
  nowMs: number,
): Date | null {
  const kept = keptDays !== null && keptDays < TOLERATED_DAYS ? new Date(nowMs - keptDays * DAY_MS) : null;
  const begun = since ?? new Date(nowMs);
  const counting = isWhole || begun <= dayFrom ? null : begun;
  const starts = [kept, counting].filter((one) => one !== null);
  return starts.length === 0 ? null : new Date(Math.max(...starts.map((one) => one.getTime())));
}
