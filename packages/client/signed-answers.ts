/**
 * Checks that the console itself answered a hook question. The second half of the agent's key signs the answer for the question's nonce, address and
 * body; it never leaves this machine.
 */
import { QuarterdeckError } from "./errors.ts";

const HOOKS = "/api/v1/hooks/";
const NONCE_HEADER = "quarterdeck-nonce";
const MAC_HEADER = "quarterdeck-answer-mac";
/** A nonce with this beginning has the time to wait signed too. */
const SIGNED_WAIT = "v2";
const PLAIN_TYPE = "application/json";
/** The headers that change the meaning of a question, in the order of their lines; before them the type of a body of another type. */
const SIGNED_HEADERS = ["idempotency-key", "quarterdeck-executor", "quarterdeck-wait-seconds"];
const ANSWER_BYTES_MAX = 8 * 1_048_576;

export interface AgentKey {
  readonly bearer: string;
  /** Null in a key of the older form, which checks nothing. */
  readonly answerKey: string | null;
}

export function readKey(key: string): AgentKey {
  const [, bearer, answerKey] = /^(.+)_([0-9a-f]{64})$/.exec(key) ?? [];
  return bearer === undefined || answerKey === undefined ? { bearer: key, answerKey: null } : { bearer, answerKey };
}

type Send = (request: Request) => Promise<Response>;

/** Sends a request; a hook question gets a nonce, and its answer is checked. Errors: `not_quarterdeck`, `old_key`. */
export function sendChecked(sendOnce: Send, answerKey: string | null): Send {
  return async (request) => {
    const send = (sent: Request) => untilAborted(sendOnce(sent), request.signal);
    const target = targetOf(request.url);
    if (target === null) return send(request);
    if (answerKey === null)
      throw new QuarterdeckError(
        "old_key",
        "This key is of an older form, with which answers cannot be checked. Create a new key for this agent.",
      );
    const nonce = SIGNED_WAIT + hexOf(crypto.getRandomValues(new Uint8Array(16)));
    const body = new Uint8Array(await request.clone().arrayBuffer());
    const headers = new Headers(request.headers);
    headers.set(NONCE_HEADER, nonce);
    const response = await send(new Request(request, { headers }));
    const bytes = await bytesOf(response, ANSWER_BYTES_MAX, request.signal);
    if (bytes === null) throw stranger(response, ANSWER_BYTES_MAX);
    const sum = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", body)));
    const head = `quarterdeck answer v1\n${nonce}\n${target}\n${sum}\n${linesOf(headers)}${response.status}\n`;
    const isSigned = await verify(answerKey, response.headers.get(MAC_HEADER) ?? "", head, bytes);
    if (!isSigned || response.headers.get(NONCE_HEADER) !== nonce) throw stranger(response, bytes.length);
    if (response.ok && !isJsonObject(response, bytes)) throw stranger(response, bytes.length);
    return readResponse(response, bytes);
  };
}

/** An answer whose body is here already; none where a Response of that status must have none. */
export const readResponse = ({ status, headers }: Response, bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers });

/** Path and query from the API's root on; null for another route than a hook's. */
function targetOf(url: string): string | null {
  const { pathname, search } = new URL(url);
  const at = pathname.indexOf(HOOKS);
  return at === -1 ? null : pathname.slice(at) + search;
}

function linesOf(headers: Headers): string {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? PLAIN_TYPE;
  const lines = type === PLAIN_TYPE ? [] : [`content-type: ${type}\n`];
  for (const name of SIGNED_HEADERS) if (headers.has(name)) lines.push(`${name}: ${headers.get(name)}\n`);
  return lines.join("");
}

/** Ends with the signal by itself: fetch holds its signal weakly, and a collected one ends nothing. Errors: the signal's reason. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The whole body; null for one that is longer than `bytesMax`. Errors: the signal's reason. */
export async function bytesOf(
  response: Response,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const part = await untilAborted(reader.read(), signal);
      if (part.done) return joined(chunks, length);
      length += part.value.length;
      if (length > bytesMax) return null;
      chunks.push(part.value);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function verify(answerKey: string, stated: string, head: string, body: Uint8Array): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(stated)) return false;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(answerKey), algorithm, false, ["verify"]);
  const start = encoder.encode(head);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const mac = Uint8Array.from(stated.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", key, mac, signed);
}

function isJsonObject(response: Response, bytes: Uint8Array): boolean {
  if (response.status !== 200 || response.headers.has("content-encoding")) return false;
  if (!/^application\/json(?:\s*;[^,]*)?$/i.test(response.headers.get("content-type") ?? "")) return false;
  if (bytes[0] !== 0x7b) return false;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) && !("error" in value);
  } catch {
    return false;
  }
}

const stranger = ({ status }: Response, length: number) =>
  new QuarterdeckError(
    "not_quarterdeck",
    `The answer came from something else than the console (HTTP ${status}, ${length === 0 ? "no body" : `${length} bytes`}).`,
    { status },
  );

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
