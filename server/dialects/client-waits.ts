/** The time that each client's enrolment waits for an answer, by the client's own event. */
import { clientTimeouts } from "../hooks/contract/client-timeouts.ts";
import { contractOf, EVENTS, type EventName, WIDEST_PROFILE } from "../hooks/contract/events.ts";
import { codexSeconds } from "./codex/enrol.ts";
import { FOR_A_PERSON, secondsOf } from "./enrolment.ts";
import { qwenSeconds } from "./qwen/enrol.ts";
import type { ClientName } from "./schema.ts";

const isNative = (event: string): event is EventName => Object.hasOwn(EVENTS, event);

/** Seconds. After them, the client denies or continues without the answer. */
export function waitSecondsOf(client: ClientName, event: string): number {
  switch (client) {
    case "docker-agent":
      return isNative(event) ? clientTimeouts(contractOf(event, WIDEST_PROFILE)).curl : secondsOf(event).relay;
    case "opencode":
      return (event === "pre_tool_use" ? FOR_A_PERSON : secondsOf(event)).relay;
    case "qwen":
      return qwenSeconds(event).relay;
    case "codex":
      return codexSeconds(event).relay;
    default:
      return secondsOf(event).relay;
  }
}
