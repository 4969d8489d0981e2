/** Answers of the protocol: the accepted and rejected records, and whether to retry. */
import type { AgentAnswer } from "../access/agent-api-types.ts";
import type { AppError } from "../errors/app-error.ts";
import { encodeMessage, type OtlpMessage } from "./otlp-messages.ts";

export const PROTOBUF_TYPE = "application/x-protobuf";
export const JSON_TYPE = "application/json";

/**
 * `rejected` has a sentence for each record that can never be accepted. If it is empty, the answer is empty for every
 * signal.
 */
export function successAnswer(isJson: boolean, rejected: readonly string[]): AgentAnswer {
  const [errorMessage] = rejected;
  const partialSuccess = { rejectedLogRecords: String(rejected.length), ...(errorMessage && { errorMessage }) };
  return { status: 200, ...inFormat("logsResponse", isJson, rejected.length === 0 ? {} : { partialSuccess }) };
}

/**
 * A `google.rpc.Status`. For 429 and 503, exporters keep the data and wait as Retry-After says; otherwise they drop it.
 */
export function failureAnswer(failure: AppError, isJson: boolean): AgentAnswer {
  const { status, message } = failure;
  const mayRetry = status === 429 || status === 503;
  const { headers, body } = inFormat("status", isJson, { code: RPC_CODES.get(status) ?? INTERNAL, message });
  const again = mayRetry ? { "retry-after": String(failure.options.retryAfterSeconds ?? 1) } : {};
  return { status, headers: { ...headers, ...again }, body, failure };
}

function inFormat(name: OtlpMessage, isJson: boolean, value: Readonly<Record<string, unknown>>) {
  return isJson
    ? { headers: { "content-type": JSON_TYPE }, body: JSON.stringify(value) }
    : { headers: { "content-type": PROTOBUF_TYPE }, body: encodeMessage(name, value) };
}

const INTERNAL = 13;
/** Codes of google.rpc.Code: invalid argument, resource exhausted, unavailable. */
const RPC_CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [413, 3],
  [415, 3],
  [429, 8],
  [503, 14],
]);
