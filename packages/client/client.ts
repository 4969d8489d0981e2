/**
 * The agent API, typed by its OpenAPI document (openapi.json, from which generated/agent-api.ts is made). Every request has an
 * end in time, and one that a busy console turns away is made again, under the same idempotency key.
 */
import createApi, { type Client } from "openapi-fetch";
import { QuarterdeckError } from "./errors.ts";
import type { paths } from "./generated/agent-api.ts";
import { bytesOf, readKey, readResponse, sendChecked } from "./signed-answers.ts";

type HookRoute = paths["/api/v1/hooks/{event}"]["post"];
type AnswerOf<Route extends { responses: { 200: { content: { "application/json": unknown } } } }> =
  Route["responses"][200]["content"]["application/json"];

export type EventName = HookRoute["parameters"]["path"]["event"];
export type Lane = NonNullable<NonNullable<HookRoute["parameters"]["query"]>["lane"]>;
export type HookInput = HookRoute["requestBody"]["content"]["application/json"];
export type HookOutput = AnswerOf<HookRoute>;
export type Policy = AnswerOf<paths["/api/v1/policy"]["get"]>;
export type Denial = AnswerOf<paths["/api/v1/denials"]["get"]>["denials"][number];
export type Budget = AnswerOf<paths["/api/v1/budgets"]["get"]>["budgets"][number];
export type Question = AnswerOf<paths["/api/v1/questions"]["post"]>;

export interface QuarterdeckOptions {
  /** Where the console is: `https://quarterdeck.example`. */
  readonly url: string;
  /** The agent's key, whole: its second half checks the answers to hook questions. */
  readonly key: string;
  /** Milliseconds for one request; 15,000 when absent. */
  readonly timeoutMs?: number;
  /** Sends the requests; the platform's own when absent. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface DispatchOptions {
  /** One lane of pre_tool_use, for a runtime that asks each gate itself; when absent, the question is about the whole call. */
  readonly lane?: Lane;
  /** Names the delivery; a random one when absent. A repeated call gets the recorded answer. */
  readonly idempotencyKey?: string;
  /** Seconds that the call may be held open for a person; 0 when absent. */
  readonly waitSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface Dispatched {
  /** Signed by the console. */
  readonly output: HookOutput;
  /** The stored dispatch. From a header that is not signed: for logs and links, never for a decision. */
  readonly dispatchId: string;
  /** The effective revision that answered; not signed either. */
  readonly revision: string;
}

export interface Quarterdeck {
  /** Every route of the agent API, typed. */
  readonly api: Client<paths>;
  /** Asks the hooks of one event. Errors: a `QuarterdeckError`; nothing is allowed then. */
  dispatch(event: EventName, input: HookInput, options?: DispatchOptions): Promise<Dispatched>;
  /** The policy in force for this agent. Errors: a `QuarterdeckError`. */
  policy(signal?: AbortSignal): Promise<Policy>;
  /** The latest denials of this agent. Errors: a `QuarterdeckError`. */
  denials(asked?: { readonly sessionId?: string; readonly limit?: number }, signal?: AbortSignal): Promise<Denial[]>;
  /** The budgets that this agent spends from. Errors: a `QuarterdeckError`. */
  budgets(asked?: { readonly sessionId?: string }, signal?: AbortSignal): Promise<Budget[]>;
  /** Asks people, or reads the answer to the same question. Errors: a `QuarterdeckError`. */
  ask(question: string, asked?: { readonly sessionId?: string }, signal?: AbortSignal): Promise<Question>;
}

const TIMEOUT_MS = 15_000;
const TRIES_MAX = 4;
const RETRY_S_MAX = 5;
/** Beyond the time that a person has. */
const WAIT_MARGIN_S = 5;
const ANSWER_BYTES_MAX = 16 * 1_048_576;
const MESSAGE_CHARS_MAX = 2_000;
const DISPATCH_ID = "quarterdeck-dispatch-id";
const REVISION = "quarterdeck-revision";

export function createQuarterdeck({ url, key, timeoutMs = TIMEOUT_MS, ...rest }: QuarterdeckOptions): Quarterdeck {
  const { bearer, answerKey } = readKey(key);
  const send = sendChecked(rest.fetch ?? ((request: Request) => fetch(request)), answerKey);
  const api = createApi<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { authorization: `Bearer ${bearer}` },
    // Whoever is sent elsewhere would ask a stranger, and take its word.
    redirect: "error",
    fetch: async (request) => whole(url, await send(request), request.signal),
  });
  const within = (signal: AbortSignal | undefined, forMs = timeoutMs) => timeLimit(forMs, signal);

  return {
    api,
    async dispatch(event, input, { lane, idempotencyKey = crypto.randomUUID(), waitSeconds = 0, signal } = {}) {
      const forMs = timeoutMs + waitSeconds * 1_000;
      const { data, response } = await answerOf(url, isObject, () =>
        api.POST("/api/v1/hooks/{event}", {
          params: {
            path: { event },
            query: lane === undefined ? {} : { lane },
            header: {
              "Idempotency-Key": idempotencyKey,
              ...(waitSeconds > 0 ? { "Quarterdeck-Wait-Seconds": waitSeconds } : {}),
            },
          },
          body: input,
          signal: within(signal, waitSeconds > 0 ? forMs + WAIT_MARGIN_S * 1_000 : forMs),
        }),
      );
      const [dispatchId, revision] = [response.headers.get(DISPATCH_ID), response.headers.get(REVISION)];
      // An empty object allows: it counts from a console alone.
      if (!dispatchId || !revision) throw notQuarterdeck(url);
      return { output: data, dispatchId, revision };
    },
    async policy(signal) {
      const headers = { accept: "application/json" };
      const { data } = await answerOf(url, isPolicy, () =>
        api.GET("/api/v1/policy", { headers, signal: within(signal) }),
      );
      // Holds: JSON is what was asked for.
      return data as Policy;
    },
    async denials({ sessionId, limit } = {}, signal) {
      const query = {
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        ...(limit === undefined ? {} : { limit }),
      };
      const { data } = await answerOf(url, hasList("denials"), () =>
        api.GET("/api/v1/denials", { params: { query }, signal: within(signal) }),
      );
      return data.denials;
    },
    async budgets({ sessionId } = {}, signal) {
      const query = sessionId === undefined ? {} : { session_id: sessionId };
      const { data } = await answerOf(url, hasList("budgets"), () =>
        api.GET("/api/v1/budgets", { params: { query }, signal: within(signal) }),
      );
      return data.budgets;
    },
    async ask(question, { sessionId } = {}, signal) {
      const body = { question, ...(sessionId === undefined ? {} : { session_id: sessionId }) };
      const { data } = await answerOf(url, isAnswer, () =>
        api.POST("/api/v1/questions", { body, signal: within(signal) }),
      );
      return data;
    },
  };
}

interface Exchanged<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The answer of the console, which looks like one of ours; one that has too much to do is asked again. Errors: a
 * `QuarterdeckError`.
 */
async function answerOf<Data>(
  url: string,
  isOurs: (data: unknown) => boolean,
  ask: () => Promise<Exchanged<Data>>,
): Promise<{ readonly data: Data; readonly response: Response }> {
  for (let tries = 1; ; tries += 1) {
    const { data, error, response } = await ask().catch((cause: unknown) => {
      throw causeOf(url, cause);
    });
    if (response.ok && (data === undefined || !isOurs(data))) throw notQuarterdeck(url);
    if (response.ok && data !== undefined) return { data, response };
    const isBusy = response.status === 503 || response.status === 429;
    // Nothing that a few seconds change.
    const isFinal = refusalOf(error).code === "too_many_questions";
    if (!isBusy || isFinal || tries === TRIES_MAX) throw failureOf(url, error, response);
    const seconds = Math.min(Number(response.headers.get("retry-after")) || 1, RETRY_S_MAX);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

/** Errors: a `QuarterdeckError` for an answer that is longer than any of ours; the signal's reason. */
async function whole(url: string, response: Response, signal: AbortSignal): Promise<Response> {
  const bytes = await bytesOf(response, ANSWER_BYTES_MAX, signal);
  if (bytes === null) throw notQuarterdeck(url);
  return readResponse(response, bytes);
}

function causeOf(url: string, cause: unknown): QuarterdeckError {
  if (cause instanceof QuarterdeckError) return cause;
  // A body that is no JSON.
  if (cause instanceof SyntaxError) return notQuarterdeck(url);
  return new QuarterdeckError("unreachable", `Quarterdeck at ${url} did not answer: ${textOf(cause)}`, { cause });
}

const notQuarterdeck = (url: string) =>
  new QuarterdeckError("not_quarterdeck", `What answers at ${url} is not Quarterdeck.`);

function failureOf(url: string, error: unknown, { status }: Response): QuarterdeckError {
  const { code, message } = refusalOf(error);
  if (code === undefined) return new QuarterdeckError("not_quarterdeck", `${url} answered ${status}.`, { status });
  return new QuarterdeckError(code, message ?? `Quarterdeck answered ${status}.`, { status });
}

function refusalOf(body: unknown): { readonly code?: string; readonly message?: string } {
  const refusal = isObject(body) ? body.error : undefined;
  if (!isObject(refusal) || typeof refusal.code !== "string") return {};
  const { code, message } = refusal;
  return { code, ...(typeof message === "string" ? { message: message.slice(0, MESSAGE_CHARS_MAX) } : {}) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isPolicy = (data: unknown) =>
  isObject(data) && typeof data.revision === "string" && Array.isArray(data.policies) && isObject(data.hooks);
const hasList = (name: string) => (data: unknown) => isObject(data) && Array.isArray(data[name]);
const isAnswer = (data: unknown) => isObject(data) && typeof data.state === "string" && typeof data.answer === "string";
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Held by its timer and by the caller's signal: Node 20 may forget what `AbortSignal.any` made, and a gate would wait for ever. */
function timeLimit(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const timer: unknown = setTimeout(() => limit.abort(new DOMException("No answer in time", "TimeoutError")), ms);
  // In Node nobody waits for it; elsewhere it is a number.
  if (typeof timer === "object" && timer !== null) Reflect.get(timer, "unref")?.call(timer);
  signal?.addEventListener("abort", () => limit.abort(signal.reason), { once: true });
  if (signal?.aborted) limit.abort(signal.reason);
  return limit.signal;
}
