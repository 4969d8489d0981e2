/** A test case of a pack: an input, and the expected outcome of the policy. */
import type { EventName, HookInput, Lane } from "@quarterdeck/hooks";

export interface PackCase {
  readonly says: string;
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;
  readonly expect: "deny" | "ask" | "pass";
  /** Text that the reason, the context or the rewritten input must contain. */
  readonly contains?: string;
  /** The answer of any model that is asked. */
  readonly reply?: string;
}

type Expect = PackCase["expect"];

/** One call of a shell on the preempt lane. */
export function shellCase(expect: Expect, cmd: string, says: string, contains?: string): PackCase {
  return toolCase("shell", { cmd }, expect, says, contains);
}

/** One call of any tool on the preempt lane. */
export function toolCase(name: string, args: unknown, expect: Expect, says: string, contains?: string): PackCase {
  // Holds: a case may contain input that no agent should send, to test its refusal.
  const input = { tool_name: name, ...(args === undefined ? {} : { tool_input: args }) } as HookInput;
  return { says, event: "pre_tool_use", lane: "preempt_yolo", input, expect, ...(contains ? { contains } : {}) };
}

/** Any other event. */
export function eventCase(
  event: EventName,
  input: HookInput,
  expect: Expect,
  says: string,
  contains?: string,
): PackCase {
  return { says, event, lane: "default", input, expect, ...(contains ? { contains } : {}) };
}
