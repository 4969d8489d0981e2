/** The events of a scripted agent as its client sends them: through the client's own dialect, without those it lacks. */
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { dialectOf } from "../dialects/index.ts";
import type { DemoClient } from "./scenario.ts";

interface SentEvent {
  readonly event: EventName;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The client's names for the events that it has. */
const NAMES: Readonly<Record<DemoClient, Partial<Record<EventName, string>>>> = {
  "claude-code": {
    session_start: "SessionStart",
    user_prompt_submit: "UserPromptSubmit",
    pre_tool_use: "PreToolUse",
    post_tool_use: "PostToolUse",
    stop: "Stop",
    session_end: "SessionEnd",
  },
};

/** Null for an event that the client does not send. */
export function asClientSends<Sent extends SentEvent>(client: DemoClient, fired: Sent): Sent | null {
  const name = NAMES[client][fired.event];
  if (name === undefined) return null;
  const { agent_name: _agent, ...own } = fired.input;
  const { native, ext } = dialectOf(client).read({ ...own, hook_event_name: name, permission_mode: "default" }, name);
  return native.hook_event_name === null ? null : { ...fired, input: { ...native, ext } };
}
