/**
 * The question to a hook's address, and the check that the console itself answered it. An answer counts only when it is signed for this very
 * question, has the status 200 and is one JSON object. Everything else is no verdict.
 */

import { timingSafeEqual } from "node:crypto";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import {
  ANSWER_MAC_HEADER,
  answerMac,
  headerLines,
  NONCE_HEADER,
  newNonce,
  sha256Hex,
} from "../platform/answer-mac.ts";
import type { Answer, Asked, ConsoleClient } from "./console-client.ts";
import { isAwayStatus, refusalOf } from "./console-client.ts";
import { ConsoleAway, Trouble } from "./errors.ts";

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const JSON_TYPE = /^application\/json(?:\s*;.*)?$/i;

export interface HookAnswer {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const OLD_KEY =
  "This key is of an older form, with which answers cannot be checked. Create a new key for this agent, and set QUARTERDECK_KEY to it.";

/**
 * Errors: `ConsoleAway` when no console answers, when something else does, or when the console has no answer now; a `Trouble` when it refuses, or
 * when the key cannot check answers.
 */
export async function askHook(
  console: ConsoleClient,
  answerKey: string | null,
  asked: Asked & { readonly body: Buffer },
): Promise<HookAnswer> {
  if (answerKey === null) throw new Trouble(OLD_KEY);
  const nonce = newNonce();
  const headers = { ...asked.headers, accept: "application/json", [NONCE_HEADER]: nonce };
  const answer = await console.ask({ ...asked, headers });
  const lines = headerLines(nonce, (name) => asked.headers[name]);
  const question = { nonce, target: asked.path, bodySha256: sha256Hex(asked.body), lines };
  const expected = answerMac(answerKey, question, answer.status, answer.body);
  if (only(answer, NONCE_HEADER) !== nonce || !isSame(only(answer, ANSWER_MAC_HEADER), expected))
    throw new ConsoleAway(strangerSays(answer));
  if (isAwayStatus(answer.status)) throw new ConsoleAway(refusalOf(answer));
  if (answer.status !== 200) throw new Trouble(refusalOf(answer));
  const value = objectIn(answer);
  if (value === null) throw new Trouble(`What the console answered is no verdict (${outlineOf(answer)}).`);
  return { text: answer.body.toString("utf8"), value };
}

/** A sentence that names the source of an answer that is not the console's. */
const strangerSays = (answer: Answer): string =>
  `The answer came from something else than the console (${outlineOf(answer)}). Check who answers at QUARTERDECK_URL.`;

function outlineOf({ status, body, distinct }: Answer): string {
  const [type = ""] = distinct["content-type"] ?? [];
  const named = /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(type)?.[0] ?? "no content type";
  return `HTTP ${status}, ${body.length === 0 ? "no body" : `${body.length} bytes, ${named}`}`;
}

/** The value of a header that occurs once. */
function only({ distinct }: Answer, name: string): string {
  const [value = "", ...more] = distinct[name] ?? [];
  return more.length === 0 ? value : "";
}

function isSame(stated: string, expected: string): boolean {
  return stated.length === expected.length && timingSafeEqual(Buffer.from(stated), Buffer.from(expected));
}

function objectIn(answer: Answer): HookAnswer["value"] | null {
  const { body, distinct } = answer;
  if (!JSON_TYPE.test(only(answer, "content-type")) || distinct["content-encoding"] !== undefined) return null;
  if (body.length > ANSWER_BYTES_MAX || body[0] !== 0x7b) return null;
  try {
    const value: unknown = parseExactJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    // An error is no answer that any client knows.
    return "error" in value ? null : (value as HookAnswer["value"]); // holds: it is an object
  } catch {
    return null;
  }
}
