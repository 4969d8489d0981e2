/** The context that a policy's text is checked against in a workspace, and the check itself. */
import type { ToolSeen } from "@quarterdeck/hooks/contract/lint/context";
import type { Administrator } from "../../access/actor.ts";
import type { Database } from "../../platform/db.ts";
import * as prompts from "../../prompts/index.ts";
import { boundClients } from "../assignments/bound-clients.ts";
import { listCalledTools } from "../effective/recent-calls.ts";
import * as policies from "../repository.ts";
import { type CheckContextView, type CheckPolicy, type CheckView, TOOL_COUNT_MAX } from "../schema.ts";
import { checkInWorker } from "../text/read-in-worker.ts";
import { AVAILABLE } from "../text/source.ts";

const NAMES_MAX = 500;
const DAYS_MS = 30 * 24 * 3_600_000;
/** Counting to 500 for each of 500 tools is read anew a few times a minute, however many people type. */
const FRESH_MS = 20_000;

/** The equipment that can run here, the tools that the workspace's agents have used, and its judge prompts. */
export async function checkContext(db: Database, workspaceId: string, nowMs = Date.now()): Promise<CheckContextView> {
  const from = new Date(nowMs - DAYS_MS);
  const [decided, called, judges] = await Promise.all([
    policies.listToolsSeen(db.pool, workspaceId, from, NAMES_MAX, TOOL_COUNT_MAX),
    listCalledTools(db.pool, workspaceId, from),
    prompts.known(db, workspaceId),
  ]);
  const tools = mergeTools(decided, called);
  return {
    equipment: { ...AVAILABLE, builtins: [...AVAILABLE.builtins], evaluators: AVAILABLE.evaluators === true },
    tools,
    judges,
  };
}

/** Most clients report no final decision, and an agent that only reports asks about no call: each tool of both counts. */
function mergeTools(...lists: readonly (readonly ToolSeen[])[]): ToolSeen[] {
  const counts = new Map<string, number>();
  for (const { name, count } of lists.flat())
    counts.set(name, Math.min(TOOL_COUNT_MAX, Math.max(counts.get(name) ?? 0, count)));
  return [...counts].slice(0, NAMES_MAX).map(([name, count]) => ({ name, count }));
}

const known = new Map<string, { readonly untilMs: number; readonly view: Promise<CheckContextView> }>();

/** Everything to say about a text, in this workspace. */
export async function check(
  db: Database,
  { workspaceId, id }: Pick<Administrator, "workspaceId" | "id">,
  { source, policyId }: CheckPolicy,
): Promise<CheckView> {
  const nowMs = Date.now();
  let fresh = known.get(workspaceId);
  if (!fresh || fresh.untilMs < nowMs) {
    for (const [other, { untilMs }] of known) if (untilMs < nowMs) known.delete(other);
    fresh = { untilMs: nowMs + FRESH_MS, view: checkContext(db, workspaceId, nowMs) };
    known.set(workspaceId, fresh);
    fresh.view.catch(() => known.delete(workspaceId));
  }
  const { tools } = await fresh.view;
  // Read anew: a text that was published a moment ago is known at once.
  const judges = source.includes("judge") ? await prompts.known(db, workspaceId) : [];
  const clients = policyId === undefined ? [] : await boundClients(db, workspaceId, policyId);
  return checkInWorker(id, { source, tools, judges, clients });
}
