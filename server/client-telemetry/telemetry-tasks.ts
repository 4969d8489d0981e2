/** The tasks of a worker thread: an export inflated, decoded and read. Each takes and returns plain data. */
import { gunzipSync } from "node:zlib";
import { DEPTH_MAX, parseJson, textOf } from "../access/json-text.ts";
import { AppError } from "../errors/app-error.ts";
import { decodeMessage } from "./otlp-messages.ts";
import { type ReadLogs, readLogs } from "./read-logs.ts";
import { INFLATED_BYTES_MAX, type LogsRequest, logsRequest } from "./schema.ts";

export interface Export {
  readonly bytes: Uint8Array;
  readonly isCompressed: boolean;
  readonly isJson: boolean;
  readonly nowMs: number;
}

/** An export of thousands of records, each with dozens of attributes. */
const VALUES_MAX = 500_000;

/** Errors: `body_too_large` when inflated, `invalid_input`, `not_utf8`, `not_json` and its like, `too_many_events`. */
export function logs(sent: Export): ReadLogs {
  return readLogs(requestIn(sent), sent.nowMs);
}

function requestIn(sent: Export): LogsRequest {
  const bytes = inflated(sent);
  const value = sent.isJson ? parseJson(textOf(bytes), DEPTH_MAX, VALUES_MAX) : decoded(bytes);
  const parsed = logsRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${issue?.path.join("/") ?? ""}`;
  throw new AppError("invalid_input", undefined, { says: `${pointer}: ${issue?.message ?? NO_EXPORT}`, pointer });
}

function inflated({ bytes, isCompressed }: Export): Buffer {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isCompressed) return sent;
  try {
    // Stops at the limit: a few bytes that inflate to gigabytes never fill the memory.
    return gunzipSync(sent, { maxOutputLength: INFLATED_BYTES_MAX });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    const says = `Uncompressed, the body is larger than ${INFLATED_BYTES_MAX / 1024 / 1024} MiB.`;
    if (isTooLarge) throw new AppError("body_too_large", undefined, { says });
    throw new AppError("invalid_input", undefined, { says: "The body is not gzip, as its Content-Encoding says." });
  }
}

function decoded(bytes: Buffer): unknown {
  try {
    return decodeMessage("logsRequest", bytes);
  } catch {
    throw new AppError("invalid_input", undefined, { says: NO_EXPORT });
  }
}

const NO_EXPORT = "The body is no OTLP export of this kind, as its Content-Type says.";
