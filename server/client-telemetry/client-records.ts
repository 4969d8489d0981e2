/** Reads log records that report one model request, by client: each names its event and attributes differently. */
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

/** Input tokens exclude cached ones. */
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

/**
 * Input includes cached tokens, and output includes reasoning. The end of a response has two records, and one of them
 * holds the counts.
 */
const codex: CallReader = {
  client: "codex",
  event: "codex.sse_event",
  provider: "openai",
  read(attributes) {
    if (textIn(attributes, "event.kind") !== "response.completed" || !attributes.has("input_token_count")) return null;
    const input = splitCount(attributes, countIn(attributes, "input_token_count"), "cached_token_count");
    const output = splitCount(attributes, countIn(attributes, "output_token_count"), "reasoning_token_count");
    return {
      sessionId: textIn(attributes, "conversation.id"),
      requestId: textIn(attributes, ...REQUEST_ID),
      model: textIn(attributes, "model", "slug"),
      usage: known({
        input_tokens: input.rest,
        output_tokens: output.whole,
        cached_input_tokens: input.part,
        reasoning_tokens: output.part,
      }),
      cost: null,
    };
  },
};

/** Input includes cached tokens; thoughts and tool tokens are counted separately, and cost the same. */
const gemini: CallReader = {
  client: "gemini",
  event: "gemini_cli.api_response",
  provider: "google",
  read(attributes) {
    const prompt = addCount(attributes, countIn(attributes, "input_token_count"), "tool_token_count");
    const input = splitCount(attributes, prompt, "cached_content_token_count");
    return {
      sessionId: textIn(attributes, "session.id"),
      requestId: textIn(attributes, ...REQUEST_ID),
      model: textIn(attributes, "model"),
      usage: known({
        input_tokens: input.rest,
        output_tokens: addCount(attributes, countIn(attributes, "output_token_count"), "thoughts_token_count"),
        cached_input_tokens: input.part,
        reasoning_tokens: countIn(attributes, "thoughts_token_count"),
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

/** The reader for a record's event names; `origins` are the names of its scope and service. */
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

/** Adds another count. An absent count adds nothing. A value that is not a number of tokens makes the sum unknown. */
function addCount(attributes: Attributes, count: number | null, name: string): number | null {
  const more = countIn(attributes, name) ?? (attributes.has(name) ? null : 0);
  return count === null || more === null ? null : count + more;
}

interface SplitCount {
  readonly whole: number | null;
  readonly part: number | null;
  readonly rest: number | null;
}

/** A count, a part of it, and the rest. A part that is greater than the whole makes both unknown. */
function splitCount(attributes: Attributes, whole: number | null, name: string): SplitCount {
  const part = countIn(attributes, name);
  if (part === null) return { whole, part, rest: attributes.has(name) ? null : whole };
  if (whole === null) return { whole, part, rest: null };
  return part > whole ? { whole: null, part: null, rest: null } : { whole, part, rest: whole - part };
}
