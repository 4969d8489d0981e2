/** Log records that report one request to a model, by client: who says what under which name. */
import { type Attributes, costIn, countIn, textIn } from "./attributes.ts";

export type TelemetryClient = "claude-code" | "codex" | "gemini";

/** Tokens by kind. A count that was not said is absent; kinds do not overlap. */
export type ReportedUsage = {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_input_tokens?: number;
  readonly cached_write_tokens?: number;
  readonly reasoning_tokens?: number;
};

export interface ReportedCall {
  readonly sessionId: string | null;
  readonly requestId: string | null;
  readonly model: string | null;
  readonly usage: ReportedUsage;
  /** Dollars, by the client's own prices. */
  readonly cost: number | null;
}

export interface CallReader {
  readonly client: TelemetryClient;
  /** The event's whole name. */
  readonly event: string;
  readonly provider: string;
  /** Null for a record of this name that reports no request. */
  read(attributes: Attributes): ReportedCall | null;
}

const REQUEST_ID = ["request_id", "request.id", "response_id", "gen_ai.response.id"];

/** Input tokens are those that came from no cache. */
const claudeCode: CallReader = {
  client: "claude-code",
  event: "claude_code.api_request",
  provider: "anthropic",
  read: (attributes) => ({
    sessionId: textIn(attributes, "session.id"),
    requestId: textIn(attributes, ...REQUEST_ID),
    model: textIn(attributes, "model"),
    usage: known({
      input_tokens: countIn(attributes, "input_tokens"),
      output_tokens: countIn(attributes, "output_tokens"),
      cached_input_tokens: countIn(attributes, "cache_read_tokens"),
      cached_write_tokens: countIn(attributes, "cache_creation_tokens"),
    }),
    cost: costIn(attributes, "cost_usd"),
  }),
};

/** Cached tokens are among the input, and reasoning is among the output. The end of a response has two records, and one of them says counts. */
const codex: CallReader = {
  client: "codex",
  event: "codex.sse_event",
  provider: "openai",
  read(attributes) {
    if (textIn(attributes, "event.kind") !== "response.completed" || !attributes.has("input_token_count")) return null;
    const cached = countIn(attributes, "cached_token_count");
    return {
      sessionId: textIn(attributes, "conversation.id"),
      requestId: textIn(attributes, ...REQUEST_ID),
      model: textIn(attributes, "model", "slug"),
      usage: known({
        input_tokens: without(countIn(attributes, "input_token_count"), cached),
        output_tokens: countIn(attributes, "output_token_count"),
        cached_input_tokens: cached,
        reasoning_tokens: countIn(attributes, "reasoning_token_count"),
      }),
      cost: null,
    };
  },
};

/** Cached tokens are among the input; thoughts and what tools added are counted apart, and paid for like the others. */
const gemini: CallReader = {
  client: "gemini",
  event: "gemini_cli.api_response",
  provider: "google",
  read(attributes) {
    const cached = countIn(attributes, "cached_content_token_count");
    const thoughts = countIn(attributes, "thoughts_token_count");
    const prompt = sum(countIn(attributes, "input_token_count"), countIn(attributes, "tool_token_count"));
    return {
      sessionId: textIn(attributes, "session.id"),
      requestId: textIn(attributes, ...REQUEST_ID),
      model: textIn(attributes, "model"),
      usage: known({
        input_tokens: without(prompt, cached),
        output_tokens: sum(countIn(attributes, "output_token_count"), thoughts),
        cached_input_tokens: cached,
        reasoning_tokens: thoughts,
      }),
      cost: null,
    };
  },
};

export const CALL_READERS: readonly CallReader[] = [claudeCode, codex, gemini];

/** The names that an event of Claude Code has in its attributes; the whole one is its body. */
const SHORT_NAMES: ReadonlyMap<string, { readonly scope: RegExp; readonly reader: CallReader }> = new Map([
  ["api_request", { scope: /^(com\.anthropic\.)?claude[_-]code/, reader: claudeCode }],
]);

/** By the names that a record gives its event; `origins` are the names of its scope and service. */
export function readerOf(names: readonly string[], origins: readonly string[]): CallReader | null {
  const whole = CALL_READERS.find(({ event }) => names.includes(event));
  if (whole) return whole;
  for (const name of names) {
    const short = SHORT_NAMES.get(name);
    if (short && origins.some((origin) => short.scope.test(origin))) return short.reader;
  }
  return null;
}

type StatedCounts = { readonly [Kind in keyof ReportedUsage]-?: number | null };

function known(stated: Partial<StatedCounts>): ReportedUsage {
  return Object.fromEntries(Object.entries(stated).filter(([, count]) => count !== null));
}

const sum = (a: number | null, b: number | null): number | null => (a === null ? null : a + (b ?? 0));

/** Null where the part is greater than the whole: then neither is believed. */
function without(whole: number | null, part: number | null): number | null {
  if (whole === null || part === null) return whole;
  return part > whole ? null : whole - part;
}
