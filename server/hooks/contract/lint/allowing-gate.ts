/** Gates that allow on failure, and the message of `gate-allows-on-failure`, from which pages extract the gate. */
import type { EventName } from "../events.ts";
import { PROFILE_RULES } from "../profiles.ts";
import { truncateToLine } from "../truncate-text.ts";
import { canHookStop } from "./outputs.ts";
import type { LintedHook, LintedPolicy } from "./policy.ts";

export const GATE_ALLOWS_ON_FAILURE = "gate-allows-on-failure";

const ALLOWS = " allows when it fails: ";

/** The command hooks of a policy that can block, in a profile that ignores most of their failures. */
export function listAllowingGates({ hooks, profile }: LintedPolicy): LintedHook[] {
  if (PROFILE_RULES[profile].otherExitCode === "failure") return [];
  return hooks.filter((linted) => {
    const { hook, entry } = linted;
    if (hook.type !== "command" || !entry.contract.canBlock) return false;
    return entry.contract.failsClosed || canHookStop(linted);
  });
}

/** `"no mkfs" on pre_tool_use` */
export const allowingGateLabel = (name: string, event: EventName): string =>
  `"${truncateToLine(name, 60)}" on ${event}`;

export const allowingGateMessage = (name: string, event: EventName): string =>
  `${allowingGateLabel(name, event)}${ALLOWS}exit 1, 7, 126 or 127, output that is not one object, or an unknown verdict`;

/** The label of the gate in a message. */
export function allowingGateOf(message: string): string {
  const end = message.lastIndexOf(ALLOWS);
  return end === -1 ? message : message.slice(0, end);
}
