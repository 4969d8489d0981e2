/** Drills of demo agents: a known-bad call under a nonce, through the real dispatcher, and its result. */
import type { Administrator } from "../access/actor.ts";
import { newestByAgent, report, start } from "../drills/index.ts";
import type { DrillReport } from "../drills/schema.ts";
import { drillSessionId } from "../drills/schema.ts";
import { type CallWorld, demoAgent } from "./answered-calls.ts";
import { callTool } from "./tool-call.ts";

const COMMAND = "rm -rf --no-preserve-root / # a drill of the demo: judged, never run";
const NATIVE = { client: "docker-agent", event: "pre_tool_use", tool: "shell", input: { cmd: COMMAND } } as const;
const DRILLS = [
  { agent: "demo-bugfix", ...NATIVE },
  { agent: "demo-migrations", ...NATIVE },
  { agent: "demo-release", ...NATIVE },
  { agent: "demo-docs", ...NATIVE },
  {
    agent: "demo-frontend",
    ...{ client: "claude-code", event: "PreToolUse", tool: "Bash", input: { command: COMMAND } },
  },
] as const satisfies readonly (Pick<DrillReport, "client"> & Readonly<Record<string, unknown>>)[];

/** Drills each of these agents once. */
export async function drillAgents(
  { db, bus, dispatcher }: CallWorld,
  { workspaceId }: Administrator,
  agents: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const drilled = await newestByAgent(db, workspaceId);
  for (const { agent, client, event, tool, input } of DRILLS) {
    const actor = demoAgent(workspaceId, agents, agent);
    if (!actor || drilled.has(actor.id)) continue;
    const { nonce } = await start({ db }, actor, { mode: "liveness" });
    const { heard } = await callTool(dispatcher, actor, { sessionId: drillSessionId(nonce, 1), tool, input });
    const effect = heard.verdict === "deny" ? "blocked" : "passed";
    await report({ db, bus }, actor, { nonce, client, calls: [{ call: 1, event, effect }] });
  }
}
