/** `type: evaluator`: asks a named evaluator of the agent's configuration, and applies the hook's policy to the outcome. */
import { evaluatorPolicyComplaint, isBlank, routingPolicyComplaint } from "../../contract/evaluator-policies.ts";
import { contractOf } from "../../contract/events.ts";
import type { HookDefinition } from "../../contract/hook.ts";
import { EVALUATED_EVENT } from "../../contract/hook-placement.ts";
import type { HandlerCall, HandlerKind, HandlerReply, HookPath } from "../../engine/ports.ts";
import { ask } from "./ask.ts";
import { type Evaluator, type EvaluatorClient, EvaluatorRefusal } from "./client.ts";
import { guardAnswer } from "./guard-answer.ts";
import { routeAnswer, routeFallback } from "./route-answer.ts";
import { guardState, type RedactState, redactState, routingState } from "./state.ts";

export interface EvaluatorKindOptions {
  /** Masks the JSON text for an evaluator, which was made of this input, and keeps its structure. */
  readonly redact?: RedactState;
}

/** The handler kind for evaluator hooks; every question goes to an evaluator of `client`. */
export function evaluatorKind(client: EvaluatorClient, options: EvaluatorKindOptions = {}): HandlerKind {
  const redact = options.redact ?? ((json: string) => json);
  return {
    type: "evaluator",
    build: (hook, place) => ({
      run: (call, signal) => (hook.routing_policy ? route : guard)({ client, redact, hook, place, call, signal }),
    }),
  };
}

export interface Running {
  readonly client: EvaluatorClient;
  readonly redact: RedactState;
  readonly hook: HookDefinition;
  readonly place: HookPath;
  readonly call: HandlerCall;
  readonly signal: AbortSignal;
}

/** Runs a guard: a verdict on a tool call. */
async function guard(running: Running): Promise<HandlerReply> {
  const { hook, call } = running;
  if (call.event !== EVALUATED_EVENT) return failed("evaluator hooks are only supported on tool_guard");
  const evaluator = evaluatorFor(running, evaluatorPolicyComplaint(hook.evaluator_policy));
  if (typeof evaluator === "string") return failed(evaluator);
  const name = hook.evaluator ?? "";
  try {
    const answer = await ask(evaluator, await redactState(guardState(call.input), call.input, running.redact), running);
    const output = guardAnswer(answer, name, hook.evaluator_policy ?? {}, call.event);
    answer?.keep?.(output.hook_specific_output?.permission_decision === "allow");
    return { kind: "answered", output };
  } catch (error) {
    return failed(`evaluator ${JSON.stringify(name)}: ${said(error)}`);
  }
}

/** Runs a route to another agent. An unusable answer leads to the agent's default. */
async function route(running: Running): Promise<HandlerReply> {
  const { client, hook, call, signal } = running;
  if (!contractOf(call.event, call.profile).control)
    return failed("routing evaluator hooks are only supported on before_agent_run and after_agent_complete");
  const evaluator = evaluatorFor(running, routingComplaint(hook));
  if (typeof evaluator === "string") return failed(evaluator);
  const agent = call.input.agent_name ?? "";
  const defaultAgent = client.defaultAgentOf(agent, hook.resolved_evaluator) ?? "";
  const name = hook.evaluator ?? "";
  const routing = { name, defaultAgent, event: call.event, policy: hook.routing_policy ?? {} };
  try {
    const answer = await ask(
      evaluator,
      await redactState(routingState(call.input), call.input, running.redact),
      running,
    );
    return { kind: "answered", output: routeAnswer(answer, routing) };
  } catch (error) {
    if (signal.aborted || error instanceof EvaluatorRefusal)
      return failed(`evaluator ${JSON.stringify(name)}: ${said(error)}`);
    return { kind: "answered", output: routeFallback("evaluator_failed", {}, routing) };
  }
}

function routingComplaint({ evaluator_policy, routing_policy }: HookDefinition): string | undefined {
  if (evaluator_policy) return "evaluator_policy and routing_policy exclude each other";
  return routingPolicyComplaint(routing_policy ?? {});
}

/** The evaluator to ask, or the reason why none can be asked. */
function evaluatorFor({ client, hook, call }: Running, policyComplaint: string | undefined): Evaluator | string {
  if (isBlank(hook.evaluator)) return "evaluator hook requires a non-empty evaluator reference";
  if (policyComplaint !== undefined) return `evaluator hook: ${policyComplaint}`;
  const agent = call.input.agent_name ?? "";
  const name = hook.evaluator ?? "";
  if (hook.routing_policy && isBlank(client.defaultAgentOf(agent, hook.resolved_evaluator)))
    return `evaluator hook: agent ${JSON.stringify(agent)} has no routing.default_agent`;
  return (
    client.evaluatorOf(name, agent, hook.resolved_evaluator) ??
    `evaluator hook: unknown evaluator ${JSON.stringify(name)} for agent ${JSON.stringify(agent)}`
  );
}

function failed(message: string): HandlerReply {
  return { kind: "failed", message };
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
