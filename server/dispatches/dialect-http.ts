/** The agent API's way for clients with a dialect of their own: read, dispatched as native events, answered in its words. */

import type { HookInput } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type AgentAnswer, type AgentRequest, type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { parseInputJson, textOf } from "../access/json-text.ts";
import {
  type AskedInDialect,
  DIALECT_NAMES,
  detectDialect,
  dialectOf,
  failureBody,
  isDialectName,
  type MisreadGate,
  misreadGate,
  misreadInput,
  noticeOf,
  type Payload,
  type Reading,
  type Stage,
} from "../dialects/index.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { IDEMPOTENCY_HEADER } from "../platform/answer-mac.ts";
import type { Clock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { ClientSigns } from "../policies/index.ts";
import { callerWait, WAIT_HEADER_DOCS } from "./caller-wait.ts";
import { clientSignOf, VERSION_HEADER_DOCS } from "./client-sign.ts";
import { type CallDispatcher, type DispatchedCall, dispatchCall } from "./dispatch-call.ts";
import { createDoubleFiring } from "./double-firing.ts";
import { loadClassOf } from "./event-class.ts";
import { readComposedInput, readInput } from "./read-input.ts";
import { requireSingleKeys } from "./require-single-keys.ts";
import { idempotencyKey } from "./schema.ts";
import type { Dispatcher } from "./service.ts";
import { NONCE_DOCS, SIGNATURE_DOCS } from "./signature-docs.ts";

const JSON_TYPE = "application/json";
const EVENT_CHARACTERS_MAX = 100;

interface World {
  readonly dispatcher: CallDispatcher & Pick<Dispatcher, "report">;
  readonly clock: Clock;
  readonly clientSigns: ClientSigns;
}

/** The answer in native words, and the stored dispatch. */
type Judged = Pick<DispatchedCall, "output" | "dispatchId" | "revision" | "isRepeated">;

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
  const isInteractive = request.query.get("interactive") === "true";
  let payload: Payload = {};
  try {
    payload = payloadOf(textOf(await request.body()));
    return await judge(world, once, request, { declared, urlEvent, payload, isInteractive });
  } catch (thrown) {
    const failure = asAppError(thrown);
    const said = denialOf(failure, { declared, urlEvent, payload, isInteractive });
    if (said) return said;
    throw thrown;
  }
}

async function judge(world: World, once: Once, request: AgentRequest, asked: AskedInDialect): Promise<AgentAnswer> {
  const { declared, urlEvent, payload, isInteractive } = asked;
  const dialect = dialectOf(detectDialect(declared, payload));
  const read = dialect.read(payload, urlEvent);
  const event = read.ext.client_event;
  const input: HookInput = {
    ...read.native,
    hook_event_name: read.native.hook_event_name ?? "notification",
    ext: read.ext,
  };
  world.clientSigns.note(request.actor, clientSignOf(request, input, payload));
  const misread = misreadGate(asked, read);
  if (misread) {
    await recordDenied(world, request, misread, read);
    return jsonAnswer(misread.body, 200, { "quarterdeck-dialect": misread.dialect });
  }
  if (read.native.hook_event_name === null) {
    await recordOnly(world, request, read);
    return jsonAnswer({}, 200, { "quarterdeck-dialect": dialect.name });
  }
  const hook = `${declared}/${event}`;
  const firing = { agentId: request.actor.id, hook, input, setAside: () => request.setAside() };
  const judged = await once(firing, () => throughStages(world, request, input));
  const body = dialect.render(judged.output, { event, payload, interactive: isInteractive });
  return jsonAnswer(body, 200, {
    "quarterdeck-dialect": dialect.name,
    "quarterdeck-dispatch-id": judged.dispatchId,
    "quarterdeck-revision": judged.revision,
    ...(judged.isRepeated && { "idempotency-replayed": "true" }),
  });
}

async function throughStages({ dispatcher }: World, request: AgentRequest, input: HookInput): Promise<Judged> {
  const event = input.hook_event_name as Stage["event"]; // holds: readers only map to native events
  const key = keyOf(request.header(IDEMPOTENCY_HEADER));
  const read = await readComposedInput(request.actor.id, input);
  return dispatchCall(dispatcher, request.actor, {
    event,
    read,
    idempotencyKey: key,
    client: key === null ? request : { signal: request.ending },
    wait: callerWait(request),
    setAside: () => request.setAside(),
    handsOnEdits: true,
  });
}

/** An event that no native one corresponds to: stored and shown as a notification, and no hook is asked. */
async function recordOnly({ dispatcher, clock }: World, request: AgentRequest, reading: Reading) {
  const nowMs = clock.now();
  const read = await readInput(request.actor.id, { body: printExactJson(noticeOf(reading)), isEnveloped: false });
  return dispatcher.report(request.actor, {
    ...read,
    eventId: uuidv7(nowMs),
    event: "notification",
    lane: "default",
    occurredMs: nowMs,
  });
}

/** Records a body at a gate that is not a valid event: stored as a denied call, without asking a hook. */
async function recordDenied(
  { dispatcher, clock }: World,
  request: AgentRequest,
  { native, reason }: MisreadGate,
  reading: Reading,
) {
  const nowMs = clock.now();
  const body = printExactJson(misreadInput(native, reading));
  const read = await readInput(request.actor.id, { body, isEnveloped: false });
  return dispatcher.report(request.actor, {
    ...read,
    eventId: uuidv7(nowMs),
    event: native,
    lane: "default",
    occurredMs: nowMs,
    local: { revision: "", verdict: "deny", reason, durationMs: 0, hooks: [] },
  });
}

/**
 * A failure on an event that the client lets us block is answered as a denial with status 200: these clients do not
 * treat an error status as a verdict, and most of them run the call. For other events null: the error is returned as it
 * is.
 */
function denialOf(failure: AppError, asked: AskedInDialect): AgentAnswer | null {
  const said = failureBody(asked, `Quarterdeck gave no verdict, so this is denied: ${failure.message}`);
  if (said === null) return null;
  const headers = { "quarterdeck-dialect": said.dialect, "quarterdeck-error": failure.code };
  return { ...jsonAnswer(said.body, 200, headers), failure };
}

function payloadOf(text: string): Payload {
  const value = parseInputJson(text);
  requireSingleKeys(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new AppError("invalid_input", undefined, { says: "A hook's payload is a JSON object.", pointer: "" });
}

function keyOf(stated: string | undefined): string | null {
  if (stated === undefined) return null;
  if (idempotencyKey.safeParse(stated).success) return stated;
  throw new AppError("invalid_input", undefined, { says: "An Idempotency-Key has 1 to 200 characters." });
}

/** Native events by dialect and event; the limit bounds the cache, because agents may send any name. */
const nativeEvents = new LRUCache<string, string>({ max: 500 });

function nativeEventOf(dialect: string, event: string): string {
  if (!isDialectName(dialect) || event.length > EVENT_CHARACTERS_MAX) return "";
  const asked = `${dialect}/${event}`;
  const known = nativeEvents.get(asked);
  if (known !== undefined) return known;
  const found = dialectOf(dialect).read({}, event).native.hook_event_name ?? "notification";
  nativeEvents.set(asked, found);
  return found;
}

const unknownDialect = (stated: string) =>
  `There is no dialect "${truncateText(stated, 40)}". Dialects: ${DIALECT_NAMES.join(", ")}.`;

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
    ...VERSION_HEADER_DOCS,
    ...WAIT_HEADER_DOCS,
    ...NONCE_DOCS,
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
        ...SIGNATURE_DOCS,
        "Quarterdeck-Error": "The code of the failure behind a denial.",
        "Idempotency-Replayed": "`true` when this is the recorded answer of an earlier call.",
      },
      body: { [JSON_TYPE]: z.record(z.string(), z.unknown()) },
    },
  },
  errors: ["not_utf8", "too_deep", "too_many_keys", "too_many_values", "idempotency_mismatch", "unrecorded"],
};
