/**
 * docker-agent runs the default lane of pre_tool_use only where nothing else has decided: neither in yolo nor where a permission
 * allows the tool. Its first gate therefore asks for the later gates as well, and each of those then gets the recorded answer.
 */
import type { HookInput, HookOutput, HookSpecificOutput } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { AgentActor } from "../access/actor.ts";
import { CALL_UNCHANGEABLE, refuses, type Stage, stagesBefore } from "../dialects/index.ts";
import { sha256 } from "../platform/secrets.ts";
import { asksNobody } from "./client-sign.ts";
import {
  type CallDispatcher,
  type CallQuestion,
  type DispatchedCall,
  dispatchCall,
  dispatchGate,
  joined,
  stageKey,
} from "./dispatch-call.ts";
import { sorted } from "./double-firing.ts";

/** `all`: every gate of the call is asked here. `rest`: this one and those after it. `asked`: an earlier gate of the call asked for this one. */
export const GATES = ["all", "rest", "asked"] as const;
export type Gates = (typeof GATES)[number];

const CALL = "pre_tool_use";
const LAST: Stage = { event: CALL, lane: "default" };
const STAGES: readonly Stage[] = [...stagesBefore(CALL), LAST];

/** Longer than a client waits for people at its first gate. */
const WINDOW_MS = 120_000;
/** Calls of one id with the same arguments in one window. Further ones are judged gate by gate. */
const CALLS_MAX = 8;

export interface GateQuestion extends Pick<CallQuestion, "read" | "client" | "wait" | "setAside"> {
  readonly stage: Stage;
  readonly gates: Gates;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** True for the gates that `gates` may be asked at. */
export const isGateOfCall = ({ event, lane }: Stage): boolean => placeOf({ event, lane }) !== -1;

const placeOf = ({ event, lane }: Stage): number =>
  STAGES.findIndex((stage) => stage.event === event && stage.lane === lane);

/** The answer to the gate that asks. Errors: those of `Dispatcher.dispatch`, for each gate. */
export async function dispatchFromGate(
  dispatcher: CallDispatcher,
  actor: AgentActor,
  question: GateQuestion,
): Promise<DispatchedCall> {
  const { stage, gates, nowMs, read, client, wait, setAside } = question;
  const call = callOf(read.input);
  const names = call === null ? [] : namesOf(call, nowMs);
  const key =
    gates === "asked"
      ? await findAsked(dispatcher, actor, names, stage)
      : await findUnused(dispatcher, actor, names.slice(0, CALLS_MAX));
  const asked = {
    ...{ read, client, idempotencyKey: key },
    ...(wait !== undefined && { wait }),
    ...(setAside && { setAside }),
    ...(call !== null && key !== null && { sameCall: call }),
  };
  if (gates === "asked") return dispatchGate(dispatcher, actor, { ...asked, event: CALL }, stage);
  const before = STAGES.slice(gates === "all" ? 0 : placeOf(stage), -1);
  const done = await dispatchCall(dispatcher, actor, { ...asked, event: CALL, before });
  return { ...done, ...joined(stage.event, atGate(done, stage, read.input)) };
}

/** A text that is equal for two questions about one call; null if the client does not name the session or the call. */
function callOf({ session_id, tool_use_id, agent_name, tool_name, tool_input }: HookInput): string | null {
  if (!session_id || !tool_use_id) return null;
  return printExactJson([session_id, tool_use_id, agent_name, tool_name, sorted(tool_input)]);
}

/** The names that questions about the call may have now, the newest first; the first `CALLS_MAX` are of this window. */
function namesOf(call: string, nowMs: number): string[] {
  const digest = sha256(call).toString("base64url");
  const window = Math.floor(nowMs / WINDOW_MS);
  return [window, window - 1].flatMap((one) =>
    Array.from({ length: CALLS_MAX }, (_, at) => `call ${digest} ${one} ${CALLS_MAX - at}`),
  );
}

/** The newest name under which the call was asked at a gate; null where it was not. */
async function findAsked(dispatcher: CallDispatcher, actor: AgentActor, names: readonly string[], stage: Stage) {
  const keyOf = (name: string) => stageKey(name, stage, CALL);
  const delivered = names.length === 0 ? NONE : await dispatcher.findDelivered(actor, names.map(keyOf));
  return names.find((name) => delivered.has(keyOf(name))) ?? null;
}

/** A name for a new call: some models number their calls anew, and the same id with the same arguments is another call then. */
async function findUnused(dispatcher: CallDispatcher, actor: AgentActor, names: readonly string[]) {
  const keysOf = (name: string) => STAGES.map((stage) => stageKey(name, stage, CALL));
  const delivered = names.length === 0 ? NONE : await dispatcher.findDelivered(actor, names.flatMap(keysOf));
  return names.findLast((name) => keysOf(name).every((key) => !delivered.has(key))) ?? null;
}
const NONE: ReadonlySet<string> = new Set();

/**
 * The answer of all gates in a form that neither approves nor changes a call. A change by the default lane is left to
 * that gate, which is asked again, unless the client says that it will not run.
 */
function atGate({ output, edits = [] }: DispatchedCall, stage: Stage, input: HookInput): HookOutput {
  const { updated_input: edited, ...specific } = output.hook_specific_output ?? {};
  if (refuses(output)) return { ...output, hook_specific_output: { ...specific, ...denialOf(output) } };
  const isLeft = edits.every(({ event, lane }) => event === CALL && lane === LAST.lane) && !asksNobody(input);
  if (edited && !isLeft) {
    const denied = { permission_decision: "deny", permission_decision_reason: CALL_UNCHANGEABLE } as const;
    return { ...output, hook_specific_output: { hook_event_name: stage.event, ...denied } };
  }
  if (specific.permission_decision !== "allow") return { ...output, hook_specific_output: specific };
  const { permission_decision: _, permission_decision_reason: __, ...rest } = specific;
  return { ...output, hook_specific_output: rest };
}

/** The verdict of a refusal. On its early lane docker-agent overlooks `decision: block` and `continue: false`. */
function denialOf({ reason, stop_reason, hook_specific_output: specific }: HookOutput): HookSpecificOutput {
  const said = [specific?.permission_decision_reason, reason, stop_reason].find((text) => text?.trim());
  return { permission_decision: "deny", ...(said && { permission_decision_reason: said }) };
}
