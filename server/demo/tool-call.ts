/** One tool call of a demo agent through the real dispatcher, as its client would send it. */
import type { AgentActor } from "../access/actor.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import { asClientSends } from "./client-events.ts";
import type { Heard } from "./fired-event.ts";
import { heardIn } from "./live.ts";
import { SCENARIOS } from "./scenarios/all.ts";

export interface ToolCall {
  readonly sessionId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Returns the id of the recorded call with the verdict on it. */
export async function callTool(
  dispatcher: Dispatcher,
  actor: AgentActor,
  { sessionId, tool, input }: ToolCall,
): Promise<{ readonly dispatchId: string; readonly heard: Heard }> {
  const scenario = SCENARIOS.find(({ agent }) => agent === actor.name);
  const event = "pre_tool_use";
  const own = {
    ...{ session_id: sessionId, cwd: scenario?.cwd ?? "/workspace", hook_event_name: event, agent_name: actor.name },
    ...{ tool_name: tool, tool_use_id: `${sessionId}-call`, tool_input: { ...input } },
  };
  const sent = scenario?.client ? (asClientSends(scenario.client, { event, input: own })?.input ?? own) : own;
  const request = { event, lane: "default", text: JSON.stringify(sent), input: sent, idempotencyKey: null } as const;
  const client = { signal: new AbortController().signal };
  const { answer, dispatchId } = await dispatcher.dispatch(actor, { ...request, client });
  return { dispatchId, heard: heardIn(answer) };
}
