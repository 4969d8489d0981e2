/**
 * A question about a whole call: the gates before the event's own are asked first, and the answers are merged. Clients
 * that name a lane, like docker-agent's runtime, ask each gate themselves and do not use this path.
 */

import type { EventName, HookInput, HookOutput } from "@quarterdeck/hooks";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { AgentActor } from "../access/actor.ts";
import { passStages, type Stage, type StageJudge, stagesBefore } from "../dialects/index.ts";
import { checkEvent } from "./check-event.ts";
import type { DispatchRequest, SaidBefore } from "./dispatch-request.ts";
import type { Dispatched } from "./idempotent-deliveries.ts";
import type { ReadInput } from "./input-tasks.ts";
import { readComposedInput } from "./read-input.ts";
import type { Dispatcher } from "./service.ts";

export type CallDispatcher = Pick<Dispatcher, "dispatch" | "findHooked" | "findDelivered">;

export interface CallQuestion extends Pick<DispatchRequest, "client" | "wait" | "setAside" | "handsOnEdits"> {
  readonly event: EventName;
  readonly read: ReadInput;
  /** The sender's name for this delivery. */
  readonly idempotencyKey: string | null;
  /** The gates that are asked before the event's own; all of them when absent. */
  readonly before?: readonly Stage[];
  /** The call in the words that each of its gates knows it by, where the delivery is named after them and not by the sender. */
  readonly sameCall?: string;
}

/** The answer of all gates, and the dispatch of the last one that was asked. */
export interface DispatchedCall extends Omit<Dispatched, "answer"> {
  readonly output: HookOutput;
  /** The recorded output, if only one gate was asked. */
  readonly answer: string;
  /** The gates that changed the arguments. */
  readonly edits?: readonly Stage[];
}

/** Errors: those of `Dispatcher.dispatch`, for each gate; a gate that fails fails the call. */
export async function dispatchCall(
  dispatcher: CallDispatcher,
  actor: AgentActor,
  question: CallQuestion,
): Promise<DispatchedCall> {
  const { event, idempotencyKey: key, before = stagesBefore(event) } = question;
  const { delivered, isNew } = await findDelivered(dispatcher, actor, question);
  const edits: Stage[] = [];
  let asked = 0;
  let saidBefore: SaidBefore | null = null;
  const judge: StageJudge<DispatchedCall> = {
    async findConcerned(stages) {
      // A repeated delivery passes the same gates as the first one, even if the policies have changed. A gate that the
      // first one did not pass is asked as for a new delivery, also if the event's own gate is recorded: a question
      // that names its lane is recorded under the same key.
      const known = key === null ? -1 : stages.findIndex((stage) => delivered.has(stageKey(key, stage, event)));
      const hooked = await dispatcher.findHooked(actor, known === -1 ? stages : stages.slice(0, known));
      return hooked ?? stages[known] ?? null;
    },
    async judge(stage, input) {
      asked += 1;
      // After an earlier gate, which may have waited for people, the key is looked up again.
      const isFirst = asked === 1 && isNew;
      const done = await dispatchStage(dispatcher, actor, { question, stage, input, saidBefore, isNew: isFirst });
      const { permission_decision = "" } = done.output.hook_specific_output ?? {};
      if (done.isAsked || permission_decision === "ask") saidBefore = "asked";
      else if (permission_decision !== "") saidBefore ??= "decided";
      if (done.output.hook_specific_output?.updated_input) edits.push(stage);
      return done;
    },
  };
  const done = await passStages(event, question.read.input, judge, before);
  return asked === 1 ? { ...done, edits } : { ...done, ...joined(event, done.output), edits };
}

interface Known {
  /** The keys under which gates of this delivery were asked before. */
  readonly delivered: ReadonlySet<string>;
  /** The keys were looked up, and no gate was asked under one of them. */
  readonly isNew: boolean;
}
const NOT_LOOKED_UP: Known = { delivered: new Set(), isNew: false };

/** One query for the keys of all gates, the event's own included: nearly every delivery is new. */
async function findDelivered(
  dispatcher: CallDispatcher,
  actor: AgentActor,
  { event, idempotencyKey: key, sameCall, before = stagesBefore(event) }: CallQuestion,
): Promise<Known> {
  // A name that was made for this call is new.
  if (key === null || sameCall !== undefined || before.length === 0) return NOT_LOOKED_UP;
  const keys = new Set([...before.map((stage) => stageKey(key, stage, event)), key]);
  const delivered = await dispatcher.findDelivered(actor, [...keys]);
  return { delivered, isNew: delivered.size === 0 };
}

const isLast = (stage: Stage, event: EventName): boolean => stage.event === event && stage.lane === "default";

/** The sender's key names the event's own gate; each gate before it has a key that follows from it. */
export const stageKey = (key: string, stage: Stage, event: EventName): string =>
  isLast(stage, event) ? key : `${key} ${stage.event} ${stage.lane}`;

/** One gate alone. Its delivery has the name that it would have as a part of the whole call. */
export const dispatchGate = (
  dispatcher: CallDispatcher,
  actor: AgentActor,
  question: CallQuestion,
  stage: Stage,
): Promise<DispatchedCall> =>
  dispatchStage(dispatcher, actor, { question, stage, input: question.read.input, saidBefore: null, isNew: false });

interface StageQuestion {
  readonly question: CallQuestion;
  readonly stage: Stage;
  readonly input: HookInput;
  readonly saidBefore: SaidBefore | null;
  readonly isNew: boolean;
}

async function dispatchStage(
  dispatcher: CallDispatcher,
  actor: AgentActor,
  { question, stage, input, saidBefore, isNew }: StageQuestion,
): Promise<DispatchedCall> {
  const { event, idempotencyKey: key, client, wait, setAside, handsOnEdits, sameCall } = question;
  const read = await readOf(question.read, stage, actor.id, input);
  checkEvent(stage.event, read.input);
  // Field by field: spreads were the dearest part of this way.
  const { answer, dispatchId, revision, isRepeated, halted, isAsked } = await dispatcher.dispatch(actor, {
    event: stage.event,
    lane: stage.lane,
    text: read.text,
    input: read.input,
    ...(read.hidden !== undefined && { hidden: read.hidden }),
    ...(wait !== undefined && { wait }),
    ...(setAside && { setAside }),
    idempotencyKey: key === null ? null : stageKey(key, stage, event),
    ...(sameCall !== undefined && { sameCall }),
    client,
    // An edit at a gate before the event's own is part of the whole answer.
    handsOnEdits: handsOnEdits ?? !isLast(stage, event),
    isStage: !isLast(stage, event),
    saidBefore,
    isNew,
  });
  // Holds: the dispatcher's own answer, now or when it was recorded.
  const output = parseExactJson(answer) as HookOutput;
  return { output, answer, dispatchId, revision, isRepeated, ...(halted && { halted }), ...(isAsked && { isAsked }) };
}

/**
 * The original body for a stage that judges exactly it. Input that an earlier stage changed, or another event's name,
 * is read again.
 */
async function readOf(first: ReadInput, stage: Stage, agentId: string, input: HookInput): Promise<ReadInput> {
  const stated = input.hook_event_name ?? "";
  const isOwnName = stated === "" || stated === stage.event;
  if (isOwnName && input === first.input) return first;
  return readComposedInput(agentId, isOwnName ? input : { ...input, hook_event_name: stage.event });
}

/** One output names one event: that of the question. */
export function joined(event: EventName, output: HookOutput): Pick<DispatchedCall, "output" | "answer"> {
  const { hook_specific_output: specific } = output;
  const whole = specific ? { ...output, hook_specific_output: { ...specific, hook_event_name: event } } : output;
  return { output: whole, answer: printExactJson(whole) };
}
