/** The agent API's way for clients with a dialect of their own: read, dispatched as native events, answered in its words. */
import type { HookInput, HookOutput } from "@quarterdeck/hooks";
import { z } from "zod";
import { type AgentAnswer, type AgentRequest, type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { parseJson, textOf } from "../access/json-text.ts";
import {
  DIALECT_NAMES,
  type DialectName,
  detectDialect,
  dialectOf,
  isDialectName,
  type Payload,
  type Reading,
} from "../dialects/service.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { callerWait, WAIT_HEADER_DOCS } from "./caller-wait.ts";
import { checkEvent } from "./check-event.ts";
import { inputAfter, joinOutputs, outputOf, refuses, type Stage, stagesBefore } from "./dialect-stages.ts";
import { createDoubleFiring } from "./double-firing.ts";
import { readInput } from "./read-input.ts";
import { idempotencyKey } from "./schema.ts";
import { type Dispatched, type Dispatcher, loadClassOf } from "./service.ts";

const JSON_TYPE = "application/json";
const EVENT_CHARACTERS_MAX = 100;

interface World {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** The answer in native words, and the stored dispatch. */
interface Judged extends Omit<Dispatched, "answer"> {
  readonly output: HookOutput;
}

export function dialectRoute(world: World): AgentRoute {
  const once = createDoubleFiring<Judged>(world.clock);
  return {
    method: "POST",
    path: "/api/v1/hooks/{dialect}/{event}",
    access: "agent:dispatch",
    takes: [JSON_TYPE],
    loadClass: ([dialect = "", event = ""]) => loadClassOf(nativeEventOf(dialect, event)),
    handle: (request) => answer(world, once, request),
    denial([declared = "", urlEvent = ""], failure) {
      return isDialectName(declared)
        ? denialOf(failure, { declared, urlEvent, payload: {}, isInteractive: false })
        : null;
    },
    docs: DIALECT_DOCS,
  };
}

type Once = ReturnType<typeof createDoubleFiring<Judged>>;

async function answer(world: World, once: Once, request: AgentRequest): Promise<AgentAnswer> {
  const [declared = "", urlEvent = ""] = request.parameters;
  if (!isDialectName(declared)) throw new AppError("not_found", undefined, { says: unknownDialect(declared) });
  if (urlEvent.length > EVENT_CHARACTERS_MAX)
    throw new AppError("not_found", undefined, { says: `An event has at most ${EVENT_CHARACTERS_MAX} characters.` });
  let payload: Payload = {};
  try {
    payload = payloadOf(textOf(await request.body()));
    return await judge(world, once, request, { declared, urlEvent, payload });
  } catch (thrown) {
    const failure = asAppError(thrown);
    const said = denialOf(failure, { declared, urlEvent, payload, isInteractive: isInteractive(request) });
    if (said) return said;
    throw thrown;
  }
}

interface Asked {
  readonly declared: DialectName;
  readonly urlEvent: string;
  readonly payload: Payload;
}

async function judge(world: World, once: Once, request: AgentRequest, asked: Asked): Promise<AgentAnswer> {
  const { declared, urlEvent, payload } = asked;
  const dialect = dialectOf(detectDialect(declared, payload));
  const read = dialect.read(payload, urlEvent);
  const event = read.ext.client_event;
  const headers = { "content-type": JSON_TYPE, "quarterdeck-dialect": dialect.name };
  if (read.native.hook_event_name === null) {
    await recordOnly(world, request, read);
    return { status: 200, headers, body: "{}" };
  }
  // Holds: an event without a native name was recorded and answered above.
  const input = { ...read.native, ext: read.ext } as HookInput;
  const hook = `${declared}/${event}`;
  const firing = { agentId: request.actor.id, hook, input, setAside: () => request.setAside() };
  const judged = await once(firing, () => passStages(world, request, input));
  const body = dialect.render(judged.output, { event, payload, interactive: isInteractive(request) });
  return jsonAnswer(body, 200, {
    ...headers,
    "quarterdeck-dispatch-id": judged.dispatchId,
    "quarterdeck-revision": judged.revision,
    ...(judged.isRepeated && { "idempotency-replayed": "true" }),
  });
}

/** The input through every stage that has hooks; a refusal ends the way, and the last stage is always recorded. */
async function passStages({ dispatcher }: World, request: AgentRequest, first: HookInput): Promise<Judged> {
  const event = first.hook_event_name as Stage["event"]; // holds: readers only map to native events
  const key = keyOf(request.header("idempotency-key"));
  let input = first;
  let output: HookOutput = {};
  for (const stage of stagesBefore(event)) {
    if (!(await dispatcher.hasHooks(request.actor, stage))) continue;
    const own = key === null ? null : `${key} ${stage.event} ${stage.lane}`;
    const done = await dispatchStage(dispatcher, request, { stage, input, key: own });
    output = joinOutputs(output, done.output);
    if (refuses(done.output)) return { ...done, output };
    input = inputAfter(input, done.output);
  }
  const done = await dispatchStage(dispatcher, request, { stage: { event, lane: "default" }, input, key });
  return { ...done, output: joinOutputs(output, done.output) };
}

interface StageCall {
  readonly stage: Stage;
  readonly input: HookInput;
  readonly key: string | null;
}

async function dispatchStage(dispatcher: Dispatcher, request: AgentRequest, call: StageCall): Promise<Judged> {
  const { stage, key } = call;
  const body = JSON.stringify({ ...call.input, hook_event_name: stage.event });
  const read = await readInput(request.actor.id, { body, isEnveloped: false });
  checkEvent(stage.event, read.input);
  const client = key === null ? request : { signal: request.ending };
  const wait = callerWait(request);
  const held = { wait, setAside: () => request.setAside() };
  const sent = { ...stage, ...read, ...held, idempotencyKey: key, client, handsOnEdits: true };
  const done = await dispatcher.dispatch(request.actor, sent);
  return { ...done, output: outputOf(done.answer) };
}

/** An event that no native one corresponds to: stored and shown as a notification, and no hook is asked. */
async function recordOnly({ dispatcher, clock }: World, request: AgentRequest, { native, ext }: Reading) {
  const nowMs = clock.now();
  const said = `${ext.dialect}: ${ext.client_event.slice(0, EVENT_CHARACTERS_MAX)}`;
  const notice = { hook_event_name: "notification", notification_level: "info", notification_message: said };
  const body = JSON.stringify({ ...native, ...notice, ext });
  const read = await readInput(request.actor.id, { body, isEnveloped: false });
  return dispatcher.report(request.actor, {
    ...read,
    eventId: uuidv7(nowMs),
    event: "notification",
    lane: "default",
    occurredMs: nowMs,
  });
}

/**
 * A failure on an event that the client lets us block is answered as a denial with status 200: to these clients, a status of
 * an error is no verdict, and most of them run the call. Elsewhere it is the error that it is: null.
 */
function denialOf(failure: AppError, asked: Asked & { readonly isInteractive: boolean }): AgentAnswer | null {
  const { declared, urlEvent, payload } = asked;
  const dialect = dialectOf(detectDialect(declared, payload));
  const event = dialect.read(payload, urlEvent).ext.client_event;
  const capability = Object.hasOwn(dialect.capabilities.events, event) ? dialect.capabilities.events[event] : undefined;
  if (capability?.deny !== "held") return null;
  const reason = `Quarterdeck gave no verdict, so this is denied: ${failure.message}`;
  const output = {
    decision: "block",
    reason,
    hook_specific_output: { permission_decision: "deny", permission_decision_reason: reason },
  };
  const body = dialect.render(output, { event, payload, interactive: asked.isInteractive });
  const headers = { "quarterdeck-dialect": dialect.name, "quarterdeck-error": failure.code };
  return { ...jsonAnswer(body, 200, headers), failure };
}

function payloadOf(text: string): Payload {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new AppError("invalid_input", undefined, { says: "A hook's payload is a JSON object.", pointer: "" });
}

const isInteractive = (request: AgentRequest) => request.query.get("interactive") === "true";

function keyOf(stated: string | undefined): string | null {
  if (stated === undefined) return null;
  if (idempotencyKey.safeParse(stated).success) return stated;
  throw new AppError("invalid_input", undefined, { says: "An Idempotency-Key has 1 to 200 characters." });
}

function nativeEventOf(dialect: string, event: string): string {
  if (!isDialectName(dialect)) return "";
  return dialectOf(dialect).read({}, event).native.hook_event_name ?? "notification";
}

const unknownDialect = (stated: string) =>
  `There is no dialect "${stated.slice(0, 40)}". Dialects: ${DIALECT_NAMES.join(", ")}.`;

const DIALECT_DOCS: AgentRoute["docs"] = {
  summary: "Dispatch a client's own hook event: the answer is the JSON that this client reads.",
  parameters: {
    dialect: { schema: z.enum(DIALECT_NAMES), description: "The client's dialect." },
    event: {
      schema: z.string().max(EVENT_CHARACTERS_MAX),
      description: "The event in that dialect. The body's own, where there is one, goes before it.",
    },
  },
  query: {
    interactive: {
      schema: z.enum(["true", "false"]).optional(),
      description: "true where a person sits at the client and can be asked.",
    },
  },
  headers: {
    "Idempotency-Key": {
      schema: idempotencyKey.optional(),
      description: "Names this delivery: within 90 days a repeated call gets the recorded answer and runs nothing.",
    },
    ...WAIT_HEADER_DOCS,
  },
  body: { [JSON_TYPE]: z.record(z.string(), z.unknown()) },
  answers: {
    200: {
      description:
        "What the hooks concluded, in the client's words; an empty object when there is nothing to say. A failure on an event that can be blocked is a denial, too.",
      headers: {
        "Quarterdeck-Dialect": "The client that really asked.",
        "Quarterdeck-Dispatch-Id": "The stored dispatch.",
        "Quarterdeck-Revision": "The effective revision that answered.",
        "Quarterdeck-Error": "The code of the failure behind a denial.",
        "Idempotency-Replayed": "`true` when this is the recorded answer of an earlier call.",
      },
      body: { [JSON_TYPE]: z.record(z.string(), z.unknown()) },
    },
  },
  errors: ["not_utf8", "too_deep", "too_many_keys", "too_many_values", "idempotency_mismatch", "unrecorded"],
};
