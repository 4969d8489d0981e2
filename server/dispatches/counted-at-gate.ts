/**
 * The step that recognises the report of a call whose last gate was asked: figures counted the call there. An agent that
 * decides by itself reports the call whether it asked that gate or not.
 */
import { LRUCache } from "lru-cache";
import type { Pool } from "../platform/db.ts";
import { indexKeyText, isCountedByReport, pgText } from "../recording/index.ts";
import type { GateCall, GateStep } from "./gate-step.ts";

/** Calls that are remembered; about 100 bytes each. A forgotten call is looked for in the record. */
const CALLS_MAX = 10_000;

export function createCountedStep(pool: Pool): GateStep {
  const gated = new LRUCache<string, true>({ max: CALLS_MAX });
  async function look(call: GateCall, key: string): Promise<void> {
    call.isCountedAtGate = gated.has(key) || (await isOnRecord(pool, call));
  }
  return {
    name: "counted at its gate",
    before(call) {
      const { event, input } = call.request;
      if (!isCountedByReport(event, input.approval_source)) return undefined;
      const key = keyOf(call);
      return key === null ? undefined : look(call, key);
    },
    after(call, outcome) {
      const { event, lane } = call.request;
      if (outcome === null || event !== "pre_tool_use" || lane !== "default") return;
      const key = keyOf(call);
      if (key !== null) gated.set(key, true);
    },
  };
}

function keyOf({ actor, request: { input } }: GateCall): string | null {
  const { session_id, tool_use_id } = input;
  if (!session_id || !tool_use_id) return null;
  return JSON.stringify([actor.id, session_id, tool_use_id]);
}

/** True if the call's last gate was asked on another server, or before this one started. */
async function isOnRecord(pool: Pool, { actor, at, request: { input } }: GateCall): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "call_counted_at_gate",
    text: `SELECT FROM dispatch WHERE workspace_id = $1 AND session_id = $2 AND tool_use_id = $3 AND agent_id = $4
      AND event = 'pre_tool_use' AND lane = 'default' AND occurred_at >= $5::timestamptz - interval '1 day' AND occurred_at <= $5
      LIMIT 1`,
    values: [actor.workspaceId, indexKeyText(input.session_id ?? ""), pgText(input.tool_use_id ?? ""), actor.id, at],
  });
  return rowCount === 1;
}
