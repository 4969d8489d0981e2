/** Checks a policy's text as it is edited: in the browser at every keystroke, and on the server. */

import type { ClientKnown } from "../client-known.ts";
import { countHooksByEvent, type EventHookCount } from "../count-hooks.ts";
import type { Profile } from "../events.ts";
import type { JudgeKnown } from "../judge-prompt.ts";
import type { FindSecrets, ToolSeen } from "../lint/context.ts";
import { isOverlong, listGateWaits } from "../lint/gate-waits.ts";
import { lintHooks } from "../lint/lint.ts";
import { lintedPolicy } from "../lint/policy.ts";
import type { Equipment } from "../placement.ts";
import { type PolicyText, readPolicyText } from "./policy-text.ts";
import type { TextFinding, TextProblem, TextWait } from "./text-problems.ts";

/** The facts a text is checked against. */
export interface CheckContext {
  readonly equipment: Equipment;
  /** Tools that the fleet has used; empty if unknown. */
  readonly tools: readonly ToolSeen[];
  /** A better detector than the linter's own. */
  readonly findSecrets?: FindSecrets;
  /** The workspace's judge prompts; absent if unknown. */
  readonly judges?: readonly JudgeKnown[];
  /** The clients that the policy binds; absent if unknown. */
  readonly clients?: readonly ClientKnown[];
}

export interface CheckedText {
  readonly profile: Profile;
  readonly problems: TextProblem[];
  /** Empty while the text cannot be parsed. */
  readonly findings: TextFinding[];
  readonly events: EventHookCount[];
  /** The gates with time limits that a client does not wait for. */
  readonly waits: TextWait[];
}

/** Parses, checks and lints. Never throws. The time is bounded by the limited size of the text. */
export function checkText(source: string, context: CheckContext): CheckedText {
  return checkParsedText(readPolicyText(source, context.equipment), context);
}

/** The same for a parsed text. */
export function checkParsedText(
  { profile, hooks, problems, placed }: PolicyText,
  { tools, findSecrets, judges, clients }: Omit<CheckContext, "equipment">,
): CheckedText {
  if (!hooks) return { profile, problems: [...problems], findings: [], events: [], waits: [] };
  const context = {
    tools,
    ...(findSecrets ? { findSecrets } : {}),
    ...(judges ? { judges } : {}),
    ...(clients ? { clients } : {}),
  };
  const found = lintHooks(hooks, profile, context);
  const findings = found.map((finding) => {
    const { rule, severity, segments, why, fix, repair } = finding;
    return { ...placed(finding), rule, severity, segments: [...segments], why, fix, ...(repair ? { repair } : {}) };
  });
  const events = problems.length > 0 ? [] : countHooksByEvent(hooks);
  const overlong = listGateWaits(lintedPolicy(hooks, profile, context)).filter(isOverlong);
  const waits = overlong.map((wait) => ({
    ...{ event: wait.event, seconds: wait.seconds, clients: [...wait.clients] },
    steps: wait.steps.map(({ hook, seconds }) => ({ hook, seconds })),
  }));
  return { profile, problems: [...problems], findings, events, waits };
}
