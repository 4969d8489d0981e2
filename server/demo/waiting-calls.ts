/** Two calls of a demo agent that wait for a person. A call whose question lapsed is asked again. */
import { setTimeout as delay } from "node:timers/promises";
import type { AgentActor } from "../access/actor.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import type { Log } from "../platform/log.ts";

const AGAIN_MS = 10 * 60_000;
const CALLS = [
  { environment: "production", version: "2.8.0", strategy: "rolling" },
  { environment: "staging", version: "2.9.0-rc.1", strategy: "all at once" },
];

/** Asks at once, and again until the signal. The same call joins its open question. */
export async function keepAsking(
  { dispatcher, log }: { readonly dispatcher: Dispatcher; readonly log: Log },
  actor: AgentActor,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const [index, tool_input] of CALLS.entries())
      await ask(dispatcher, actor, index, tool_input).catch((err: unknown) =>
        log.warn({ err }, "a demo call could not be asked about"),
      );
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function ask(
  dispatcher: Dispatcher,
  actor: AgentActor,
  index: number,
  tool_input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const input = {
    ...{ session_id: `demo-deployment-${index + 1}`, cwd: "/workspace/ledger", hook_event_name: "pre_tool_use" },
    ...{ agent_name: actor.name, tool_name: "deploy", tool_use_id: `deployment-${index + 1}` },
    tool_input: { ...tool_input },
  };
  const request = { event: "pre_tool_use", lane: "default", text: JSON.stringify(input), input } as const;
  const client = { signal: new AbortController().signal };
  await dispatcher.dispatch(actor, { ...request, idempotencyKey: null, client });
}
