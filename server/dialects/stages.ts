/**
 * Maps one event of a client to the native events that docker-agent would raise for it. Clients have one hook where docker-agent
 * has several: a call passes rewriting, guards and both lanes in sequence, and their answers are joined.
 */
import type { EventName, HookInput, HookOutput, Lane } from "../hooks/index.ts";

export interface Stage {
  readonly event: EventName;
  readonly lane: Lane;
}

/** The stages before the event itself; each runs only where a policy has hooks for it. */
const BEFORE: Partial<Record<EventName, readonly Stage[]>> = {
  pre_tool_use: [
    { event: "tool_input_transform", lane: "default" },
    { event: "tool_guard", lane: "default" },
    { event: "pre_tool_use", lane: "preempt_yolo" },
  ],
  post_tool_use: [{ event: "tool_response_transform", lane: "default" }],
};

/** The stages before an event's own gate; empty for most events. */
export const stagesBefore = (event: EventName): readonly Stage[] => BEFORE[event] ?? [];

/** The event that has `event` as one of its stages; undefined for an event that clients send. */
export function carrierOf(event: EventName): EventName | undefined {
  const found = Object.entries(BEFORE).find(
    ([name, stages]) => name !== event && stages.some((one) => one.event === event),
  );
  return found?.[0] as EventName | undefined; // holds: the keys of BEFORE are names of events
}

/** The judge of each stage: the console, or the local executor. */
export interface StageJudge<Judged extends { readonly output: HookOutput }> {
  /** The first stage with a hook to run; null if there is no such stage. */
  findConcerned(stages: readonly Stage[], input: HookInput): Promise<Stage | null>;
  judge(stage: Stage, input: HookInput): Promise<Judged>;
}

/** Passes the input through every concerned stage of `before`. A refusal ends the sequence; otherwise the event itself is judged last. */
export async function passStages<Judged extends { readonly output: HookOutput }>(
  event: EventName,
  first: HookInput,
  judge: StageJudge<Judged>,
  before: readonly Stage[] = stagesBefore(event),
): Promise<Judged> {
  let input = first;
  let output: HookOutput | null = null;
  let left = before;
  while (left.length > 0) {
    // Looked up again after each stage: policies may have changed during the wait.
    const stage = await judge.findConcerned(left, input);
    if (stage === null) break;
    left = left.slice(left.indexOf(stage) + 1);
    const done = await judge.judge(stage, input);
    output = output === null ? done.output : joinOutputs(output, done.output);
    if (refuses(done.output)) return { ...done, output };
    input = inputAfter(input, done.output);
  }
  const done = await judge.judge({ event, lane: "default" }, input);
  return output === null ? done : { ...done, output: joinOutputs(output, done.output) };
}

/** True if no later stage can change the outcome. */
export function refuses({ decision, continue: goesOn, hook_specific_output: specific }: HookOutput): boolean {
  const verdict = specific?.permission_decision ?? "";
  return (decision ?? "") !== "" || goesOn === false || (verdict !== "" && verdict !== "allow" && verdict !== "ask");
}

/** The input for the next stage, with the changes of the stage before; the same object if nothing changed. */
function inputAfter(input: HookInput, { hook_specific_output: specific }: HookOutput): HookInput {
  const arguments_ = specific?.updated_input;
  const response = specific?.updated_tool_response;
  if (!arguments_ && typeof response !== "string") return input;
  return {
    ...input,
    ...(arguments_ && { tool_input: { ...input.tool_input, ...arguments_ } }),
    ...(typeof response === "string" && { tool_response: response }),
  };
}

/** Joins two outputs: the stricter decision with its reason, the later rewrite over the earlier, and all context. */
function joinOutputs(first: HookOutput, second: HookOutput): HookOutput {
  const a = first.hook_specific_output ?? {};
  const b = second.hook_specific_output ?? {};
  const asks = a.permission_decision === "ask" && b.permission_decision !== "deny";
  const decided = asks || !b.permission_decision ? a : b;
  const specific = {
    ...a,
    ...b,
    ...(decided.permission_decision && {
      permission_decision: decided.permission_decision,
      permission_decision_reason: decided.permission_decision_reason,
    }),
    ...((a.updated_input || b.updated_input) && { updated_input: { ...a.updated_input, ...b.updated_input } }),
    ...joinedText("additional_context", a.additional_context, b.additional_context),
  };
  return {
    ...first,
    ...second,
    ...joinedText("system_message", first.system_message, second.system_message),
    ...(Object.keys(specific).length > 0 && { hook_specific_output: specific }),
  };
}

function joinedText(field: string, ...texts: readonly (string | null | undefined)[]): Record<string, string> {
  const said = texts.filter((text) => text);
  return said.length > 0 ? { [field]: said.join("\n") } : {};
}
