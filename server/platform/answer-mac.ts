/**
 * The signature of answers to hook questions. A relay sends the bearer half of its agent's key and keeps the other half, the answer key. The
 * console derives the same answer key from the bearer, so it signs each answer, also where the database is away.
 */
import { createHash, createHmac } from "node:crypto";

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

export interface AnsweredRequest {
  readonly nonce: string;
  /** Path and query as sent, from `/api/v1/` on. */
  readonly target: string;
  /** The hexadecimal sha256 of the request's body. */
  readonly bodySha256: string;
}

export function answerMac(
  answerKey: string,
  { nonce, target, bodySha256 }: AnsweredRequest,
  status: number,
  body: Uint8Array | string,
): string {
  return createHmac("sha256", answerKey)
    .update(`quarterdeck answer v1\n${nonce}\n${target}\n${bodySha256}\n${status}\n`)
    .update(body)
    .digest("hex");
}

export const sha256Hex = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
