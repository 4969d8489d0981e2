/**
 * Plays one run: the hook events that an agent would fire, in the order of the real runtime, with reactions to the
 * answers.
 * Pure: the same run, id and answers give the same events.
 */
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { fraction, identifier } from "./chance.ts";
import { asClientSends } from "./client-events.ts";
import type { Fired, Heard } from "./fired-event.ts";
import type { Approval, CompactStep, DelegateStep, Model, Run, Scenario, Step, ToolStep } from "./scenario.ts";
import { type Context, callTokens, costUsd } from "./usage.ts";

export const NOTHING: Heard = { verdict: "none", reason: "", summary: "" };
type Playing = Generator<Fired, void, Heard>;

const HOOK_MS = 3;
const PERSON_MS = 4_000;
const COMPACTION_MS = 9_000;
/** A model's pace: time to the first token, then per token. */
const FIRST_TOKEN_MS = 700;
const TOKEN_MS = 9;

interface Playhead {
  readonly sessionId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly model: Model;
  readonly context: Context;
  prompt: string;
  iteration: number;
}

/** The events of `run` as the scenario's client sends them, as a session of its own named by `seed`. */
export function* play(scenario: Scenario, run: Run, seed: string): Playing {
  const playing = playRun(scenario, run, seed);
  let heard = NOTHING;
  let waitedMs = 0;
  for (let next = playing.next(); !next.done; next = playing.next(heard)) {
    const sent = scenario.client === undefined ? next.value : asClientSends(scenario.client, next.value);
    waitedMs += next.value.afterMs;
    heard = NOTHING;
    if (sent === null) continue;
    heard = yield { ...sent, afterMs: waitedMs };
    waitedMs = 0;
  }
}

function* playRun(scenario: Scenario, run: Run, seed: string): Playing {
  const head: Playhead = {
    sessionId: identifier(seed),
    agent: scenario.agent,
    cwd: scenario.cwd,
    model: scenario.model,
    context: { tokens: run.contextTokens, cached: 0 },
    prompt: run.prompt,
    iteration: 0,
  };
  yield* fire(head, "session_start", { source: "startup" });
  yield* fire(head, "user_prompt_submit", { prompt: run.prompt });
  for (const [index, step] of run.steps.entries()) yield* takeStep(head, step, `${seed}/${index}`);
  yield* answer(head, run.answer, seed);
  yield* fire(head, "session_end", { reason: "stream_ended" });
  yield* fire(head, "on_user_input", {});
}

function* takeStep(head: Playhead, step: Step, seed: string): Playing {
  switch (step.does) {
    case "tool":
      return yield* toolTurn(head, step, seed);
    case "compact":
      return yield* compact(head, step, seed);
    case "delegate":
      return yield* delegate(head, step, seed);
    case "steer":
      head.context.tokens += 40 * step.messages.length;
      return yield* hear(fire(head, "user_steering_messages_submit", { steering_messages: step.messages }, PERSON_MS));
    case "fail": {
      yield* openTurn(head);
      const said = { notification_level: "error", notification_message: step.message };
      yield* fire(head, "notification", said, 2_000);
      yield* fire(head, "on_error", said);
      return yield* hear(fire(head, "turn_end", { reason: "error" }));
    }
  }
}

function* toolTurn(head: Playhead, step: ToolStep, seed: string): Playing {
  yield* modelCall(head, step.says, 60 + JSON.stringify(step.input).length / 4, seed);
  const call = {
    tool_name: step.tool,
    tool_use_id: `call_${identifier(`${seed}/call`).replaceAll("-", "").slice(0, 24)}`,
    tool_input: step.input,
  };
  const gate: Heard = step.gate ? { ...NOTHING, verdict: step.gate, reason: "A demo policy." } : NOTHING;
  const heard = yield* fire(head, "pre_tool_use", call, HOOK_MS, gate);
  const approved = yield* decide(head, step, call, heard, seed);
  if (approved === null) {
    const tool_response = `Tool call blocked by hook: ${heard.reason}`;
    yield* fire(head, "tool_response_transform", { ...call, tool_response, tool_error: true });
  } else if (approved) {
    const took = 40 + 900 * fraction(`${seed}/tool`);
    yield* fire(head, "tool_response_transform", { ...call, tool_response: step.result }, took);
    const tool_error = step.fails ? { tool_error: true } : {};
    yield* fire(head, "post_tool_use", { ...call, tool_response: step.result, ...tool_error });
    head.context.tokens += step.tokens;
  } else {
    const tool_response = "The user rejected the tool call.";
    yield* fire(head, "tool_response_transform", { ...call, tool_response, tool_error: true });
  }
  yield* fire(head, "turn_end", { reason: "continue" });
}

/** True if the call continues; null if a policy refused it. */
function* decide(
  head: Playhead,
  step: ToolStep,
  call: Readonly<Record<string, unknown>>,
  heard: Heard,
  seed: string,
): Generator<Fired, boolean | null, Heard> {
  const decided = (approval_decision: "allow" | "deny", approval_source: string, afterMs = HOOK_MS) =>
    fire(head, "on_tool_approval_decision", { ...call, approval_decision, approval_source }, afterMs);
  if (heard.verdict === "deny") {
    yield* decided("deny", "pre_tool_use_hook_deny");
    return null;
  }
  if (heard.verdict === "allow") {
    yield* decided("allow", "pre_tool_use_hook_allow");
    return true;
  }
  const source: Approval = heard.verdict === "ask" && !PERSONAL.has(step.approval) ? "user_approved" : step.approval;
  let waitMs = HOOK_MS;
  if (PERSONAL.has(source)) {
    yield* fire(head, "permission_request", call);
    yield* fire(head, "on_user_input", {});
    waitMs = PERSON_MS * (0.5 + fraction(`${seed}/person`));
  }
  const isDenied = source === "user_rejected" || source === "team_permissions_deny";
  yield* decided(isDenied ? "deny" : "allow", source, waitMs);
  return !isDenied;
}

const PERSONAL: ReadonlySet<Approval> = new Set(["user_approved", "user_approved_tool", "user_rejected"]);

function* openTurn(head: Playhead): Playing {
  yield* fire(head, "turn_start", {});
  head.iteration += 1;
  const messages = [{ role: "user", content: head.prompt }];
  yield* fire(head, "before_llm_call", { model_id: head.model.id, iteration: head.iteration, messages });
}

/** A turn's model call: turn_start to after_llm_call. */
function* modelCall(head: Playhead, says: string, moreTokens: number, seed: string): Playing {
  yield* openTurn(head);
  const outputTokens = Math.round(says.length / 4 + moreTokens);
  const usage = callTokens(head.context, outputTokens);
  const cost = costUsd(head.model.price, usage);
  const thinkingMs = (FIRST_TOKEN_MS + outputTokens * TOKEN_MS) * (0.8 + 0.4 * fraction(`${seed}/model`));
  const said = { model_id: head.model.id, last_user_message: head.prompt, stop_response: says, usage };
  yield* fire(head, "after_llm_call", cost === null ? said : { ...said, cost }, thinkingMs);
}

function* answer(head: Playhead, says: string, seed: string): Playing {
  yield* modelCall(head, says, 40, `${seed}/answer`);
  yield* fire(head, "stop", { last_user_message: head.prompt, stop_response: says });
  yield* fire(head, "turn_end", { reason: "normal" });
}

function* compact(head: Playhead, step: CompactStep, seed: string): Playing {
  const source = step.reason === "threshold" ? "auto" : step.reason;
  const asked = yield* fire(head, "pre_compact", { source });
  if (asked.verdict === "deny") return;
  const about = {
    input_tokens: head.context.tokens,
    output_tokens: Math.round(200 + 300 * fraction(seed)),
    context_limit: head.model.contextLimit,
    compaction_reason: step.reason,
  };
  const vetoed: Heard = step.isVetoed ? { ...NOTHING, verdict: "deny", reason: "A demo policy." } : NOTHING;
  const heard = yield* fire(head, "before_compaction", about, HOOK_MS, vetoed);
  if (heard.verdict === "deny") return;
  const summary = heard.summary || step.summary;
  yield* fire(head, "after_compaction", { ...about, summary }, heard.summary === "" ? COMPACTION_MS : HOOK_MS);
  head.context.tokens = 6_000 + Math.round(summary.length / 4);
  head.context.cached = 0;
}

/** The parent switches to the child and back; the child's session ends on the parent's executor. */
function* delegate(head: Playhead, step: DelegateStep, seed: string): Playing {
  const [provider = "", model = ""] = head.model.id.split(/\/(.*)/);
  const switched = (from: string, to: string, kind: string) =>
    fire(head, "on_agent_switch", {
      from_agent: from,
      to_agent: to,
      agent_switch_kind: kind,
      from_agent_models: [{ provider, model }],
    });
  const child: Playhead = {
    sessionId: identifier(`${seed}/child`),
    agent: step.agent,
    cwd: head.cwd,
    model: step.model,
    context: { tokens: 3_500, cached: 0 },
    prompt: step.task,
    iteration: 0,
  };
  yield* switched(head.agent, step.agent, "transfer_task");
  yield* fire(child, "session_start", { source: "startup" });
  for (const [index, one] of step.steps.entries()) yield* toolTurn(child, one, `${seed}/child/${index}`);
  yield* answer(child, step.answer, `${seed}/child`);
  yield* fire(child, "session_end", { reason: "stream_ended" });
  yield* fire(child, "subagent_stop", { stop_response: step.answer, parent_session_id: head.sessionId });
  yield* switched(step.agent, head.agent, "transfer_task_return");
  head.context.tokens += Math.round(step.answer.length / 4);
}

function* fire(
  { sessionId, cwd, agent }: Playhead,
  event: EventName,
  more: Readonly<Record<string, unknown>>,
  afterMs: number = HOOK_MS,
  expected: Heard = NOTHING,
): Generator<Fired, Heard, Heard> {
  const input = { session_id: sessionId, cwd, hook_event_name: event, agent_name: agent, ...more };
  return yield { afterMs: Math.round(afterMs), event, input, expected };
}

/** An event whose answer does not matter. */
function* hear(firing: Generator<Fired, Heard, Heard>): Playing {
  yield* firing;
}
