/**
 * The tools of an agent loop (the AI SDK's, or any with `execute`) under the policies of a console. A call passes the same gates as
 * docker-agent's: the rewrites of its input, the guards, both lanes of `pre_tool_use`; then it runs, and its answer passes
 * `tool_response_transform` and `post_tool_use`. Whatever is not clearly allowed is denied: also where nobody can be asked.
 */
import type {
  Dispatched,
  DispatchOptions,
  EventName,
  HookInput,
  HookOutput,
  Lane,
  Policy,
  Quarterdeck,
} from "./client.ts";
import { CallDenied, QuarterdeckError } from "./errors.ts";

export interface GovernedSession {
  readonly sessionId: string;
  readonly cwd?: string;
  /** Seconds that a call may wait for a person; 0 when absent: it is denied with a number, and may be made again. */
  readonly waitSeconds?: number;
}

interface Stage {
  readonly event: EventName;
  readonly lane: Lane;
}
interface ExecuteOptions {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal;
}
type Execute = (input: unknown, options: ExecuteOptions) => unknown;

const BEFORE_CALL: readonly Stage[] = [
  { event: "tool_input_transform", lane: "default" },
  { event: "tool_guard", lane: "default" },
  { event: "pre_tool_use", lane: "preempt_yolo" },
];
const THE_CALL: Stage = { event: "pre_tool_use", lane: "default" };
const AFTER_CALL: readonly Stage[] = [{ event: "tool_response_transform", lane: "default" }];
const ROUNDS_MAX = 3;

/**
 * The same tools, each gated. Errors: a `TypeError` for a tool without `execute`, which runs where no gate is. A governed call throws
 * `CallDenied`, or `QuarterdeckError` where the console cannot be asked: before the tool runs, or in place of an answer that no hook
 * could see.
 */
export function governTools<Tools extends Readonly<Record<string, object>>>(
  quarterdeck: Quarterdeck,
  session: GovernedSession,
  tools: Tools,
): Tools {
  const known: KnownPolicy = { policy: null };
  const governed = Object.entries(tools).map(([name, tool]): readonly [string, object] => {
    const execute = "execute" in tool ? tool.execute : undefined;
    if (typeof execute !== "function")
      throw new TypeError(`The tool "${name}" has no execute, so Quarterdeck cannot gate it. Leave it out.`);
    const run: Execute = (input, options) => execute.call(tool, input, options);
    const call = (input: unknown, options: ExecuteOptions = {}) =>
      runGoverned({ quarterdeck, session, known, name, run }, input, options);
    return [name, { ...tool, execute: call }];
  });
  // Holds: the same names, and of each tool all but what it runs.
  return Object.fromEntries(governed) as Tools;
}

/** The policy as it was read last; a dispatch that another revision answered shows that it is an old one. */
interface KnownPolicy {
  policy: Policy | null;
}

interface Governed {
  readonly quarterdeck: Quarterdeck;
  readonly session: GovernedSession;
  readonly known: KnownPolicy;
  readonly name: string;
  readonly run: Execute;
}

async function runGoverned(governed: Governed, given: unknown, options: ExecuteOptions): Promise<unknown> {
  const { session, name, run } = governed;
  const first: HookInput = {
    session_id: session.sessionId,
    cwd: session.cwd ?? "",
    tool_name: name,
    tool_use_id: options.toolCallId ?? crypto.randomUUID(),
    tool_input: argumentsOf(given),
  };
  const gated = await passGates(governed, first, options.abortSignal);
  // The input as the model gave it, unless a hook or a person changed it.
  const input = gated.tool_input === first.tool_input ? given : gated.tool_input;
  let response: unknown;
  try {
    response = await lastOf(run(input, options));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    await afterCall(governed, { ...gated, tool_response: words, tool_error: true }, options.abortSignal);
    throw error;
  }
  return afterCall(governed, { ...gated, tool_response: response }, options.abortSignal);
}

/** The input that may run. Errors: `CallDenied`, `QuarterdeckError`. */
async function passGates(governed: Governed, first: HookInput, signal?: AbortSignal): Promise<HookInput> {
  const { quarterdeck, known } = governed;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const policy = known.policy ?? (await quarterdeck.policy(signal));
    known.policy = policy;
    const { input, revisions } = await passRound(governed, policy, first, signal);
    if (revisions.every((revision) => revision === policy.revision)) return input;
    // Published meanwhile: a gate that is new was not asked, or one was asked by older rules.
    known.policy = await quarterdeck.policy(signal);
  }
  throw new QuarterdeckError("policy_unsteady", "The policies change faster than a call can pass them. Make it again.");
}

/** Every gate that the policy has hooks at, and the event itself in any case: its answer names the policy in force. */
async function passRound(governed: Governed, policy: Policy, first: HookInput, signal?: AbortSignal) {
  const revisions: string[] = [];
  let input = first;
  for (const stage of [...BEFORE_CALL.filter((one) => isConcerned(policy, one)), THE_CALL]) {
    const answered = await ask(governed, stage, input, signal);
    input = allowedInput(input, answered);
    revisions.push(answered.revision);
  }
  return { input, revisions };
}

/** The answer as the model may see it. Errors: `CallDenied` where a hook takes it away. */
async function afterCall(governed: Governed, done: HookInput, signal?: AbortSignal): Promise<unknown> {
  let input = done;
  const { policy } = governed.known;
  const stages = AFTER_CALL.filter((one) => policy === null || isConcerned(policy, one));
  for (const stage of [...stages, { event: "post_tool_use", lane: "default" } as const]) {
    const { output, dispatchId } = await ask(governed, stage, input, signal);
    if (isBlocked(output)) throw new CallDenied(governed.name, reasonOf(output), dispatchId);
    const changed = output.hook_specific_output?.updated_tool_response;
    if (typeof changed === "string") input = { ...input, tool_response: changed };
    const added = output.hook_specific_output?.additional_context;
    if (typeof added === "string" && added !== "" && typeof input.tool_response === "string")
      input = { ...input, tool_response: `${input.tool_response}\n\n${added}` };
  }
  return input.tool_response;
}

function ask(
  { quarterdeck, session }: Governed,
  { event, lane }: Stage,
  input: HookInput,
  signal?: AbortSignal,
): Promise<Dispatched> {
  const options: DispatchOptions = {
    // Each gate is asked by itself, so the lane is always named.
    ...(event === "pre_tool_use" ? { lane } : {}),
    ...(session.waitSeconds === undefined ? {} : { waitSeconds: session.waitSeconds }),
    ...(signal ? { signal } : {}),
  };
  return quarterdeck.dispatch(event, input, options);
}

/** The input after a gate. Errors: `CallDenied` for whatever is no clear allowance. */
function allowedInput(input: HookInput, { output, dispatchId }: Dispatched): HookInput {
  const { permission_decision: verdict, updated_input: updated } = output.hook_specific_output ?? {};
  const isAllowed = verdict === undefined || verdict === null || verdict === "" || verdict === "allow";
  if (!isAllowed || isBlocked(output)) {
    const asked = verdict === "ask" ? "A person has to be asked, and none can be here. " : "";
    throw new CallDenied(input.tool_name ?? "", `${asked}${reasonOf(output)}`, dispatchId);
  }
  return updated ? { ...input, tool_input: { ...input.tool_input, ...updated } } : input;
}

const isBlocked = ({ decision, continue: goesOn }: HookOutput): boolean => (decision ?? "") !== "" || goesOn === false;

function reasonOf({ hook_specific_output: specific, reason, stop_reason: stopReason }: HookOutput): string {
  return specific?.permission_decision_reason || reason || stopReason || "the policy gives no reason.";
}

/** True if the policy has hooks at this stage. */
function isConcerned(policy: Policy, { event, lane }: Stage): boolean {
  const entries = policy.hooks[event] ?? [];
  return lane === "default" ? entries.length > 0 : entries.some((entry) => entry.preempt_yolo === true);
}

function argumentsOf(given: unknown): Record<string, unknown> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return { ...given };
  return given === undefined ? {} : { input: given };
}

/** A tool may answer in parts, of which the last one is whole. */
async function lastOf(answer: unknown): Promise<unknown> {
  const value = await answer;
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const part of value as AsyncIterable<unknown>) last = part;
  return last;
}
