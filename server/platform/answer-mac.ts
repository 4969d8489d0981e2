/**
 * The MAC of answers to hook questions. A relay sends the bearer half of its agent's key and keeps the other half, the
 * answer key. The console derives the same answer key from the bearer, so it can sign each answer even without the
 * database.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";

export const NONCE_HEADER = "quarterdeck-nonce";
export const ANSWER_MAC_HEADER = "quarterdeck-answer-mac";
/** A nonce that the console repeats. */
export const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

const AGENT_KEY = /^(qd_[0-9A-Za-z]{43})(?:_([0-9a-f]{64}))?$/;

export interface AgentKey {
  /** The half that is sent, and stored as a hash. */
  readonly bearer: string;
  /** The half that answers are signed with; null in a key of the older form. */
  readonly answerKey: string | null;
}

/** Null when the text is no agent's key. */
export function readAgentKey(text: string): AgentKey | null {
  const [, bearer, answerKey = null] = AGENT_KEY.exec(text) ?? [];
  return bearer === undefined ? null : { bearer, answerKey };
}

/** The parts of a key that may be of another form: all of it is sent then. */
export const splitAgentKey = (text: string): AgentKey => readAgentKey(text) ?? { bearer: text, answerKey: null };

/** 64 hexadecimal digits. */
export function deriveAnswerKey(secret: Uint8Array, bearer: string): string {
  return createHmac("sha256", secret).update(`answer key\n${bearer}`).digest("hex");
}

/** A nonce with this prefix requests a signature over the wait time too. Relays enrolled earlier send it unsigned. */
export const SIGNED_WAIT = "v2";
export const newNonce = (): string => SIGNED_WAIT + randomBytes(16).toString("hex");

export const IDEMPOTENCY_HEADER = "idempotency-key";
export const WAIT_HEADER = "quarterdeck-wait-seconds";
/** `id=<16 hex>`: the one of the agent's executors that asks. */
export const EXECUTOR_HEADER = "quarterdeck-executor";
/** The type of a question that needs no line. */
const PLAIN_TYPE = "application/json";

/**
 * The lines of the headers that change the meaning of a question, each with a line end; "" without such headers. A
 * relay that sends no such header computes the MAC without lines, so it rejects the answer to a question to which a
 * proxy added one.
 */
export function headerLines(nonce: string, header: (name: string) => string | undefined): string {
  const type = header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? PLAIN_TYPE;
  const lines = type === PLAIN_TYPE ? "" : `content-type: ${type}\n`;
  const names = [IDEMPOTENCY_HEADER, EXECUTOR_HEADER, ...(nonce.startsWith(SIGNED_WAIT) ? [WAIT_HEADER] : [])];
  return names.reduce((text, name) => {
    const value = header(name);
    return value === undefined ? text : `${text}${name}: ${value}\n`;
  }, lines);
}

export interface AnsweredRequest {
  readonly nonce: string;
  /** Path and query as sent, from `/api/v1/` on. */
  readonly target: string;
  /** The hexadecimal sha256 of the request's body. */
  readonly bodySha256: string;
  /** Those of `headerLines`. */
  readonly lines: string;
}

export function answerMac(
  answerKey: string,
  { nonce, target, bodySha256, lines }: AnsweredRequest,
  status: number,
  body: Uint8Array | string,
): string {
  return createHmac("sha256", answerKey)
    .update(`quarterdeck answer v1\n${nonce}\n${target}\n${bodySha256}\n${lines}${status}\n`)
    .update(body)
    .digest("hex");
}

export const sha256Hex = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
