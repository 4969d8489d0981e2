/** Two calls of a demo agent that wait for a person. A call whose question lapsed is asked again. */
import { setTimeout as delay } from "node:timers/promises";
import type { AgentActor } from "../access/actor.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import type { Log } from "../platform/log.ts";
import { callTool } from "./tool-call.ts";

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
    for (const [index, input] of CALLS.entries())
      await callTool(dispatcher, actor, { sessionId: `demo-deployment-${index + 1}`, tool: "deploy", input }).catch(
        (err: unknown) => log.warn({ err }, "a demo call could not be asked about"),
      );
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}
