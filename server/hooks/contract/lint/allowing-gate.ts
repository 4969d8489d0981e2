/** The words of `gate-allows-on-failure`, from which pages take the gate. */
import type { EventName } from "../events.ts";

export const GATE_ALLOWS_ON_FAILURE = "gate-allows-on-failure";

const ALLOWS = " allows when it fails: ";

export const allowingGateMessage = (name: string, event: EventName): string =>
  `"${name}" on ${event}${ALLOWS}exit 1, 7, 126 or 127, output that is not one object, or an unknown verdict`;

/** `"no mkfs" on pre_tool_use` */
export function allowingGateOf(message: string): string {
  const end = message.lastIndexOf(ALLOWS);
  return end === -1 ? message : message.slice(0, end);
}
