/** Asks the console about one event: its hook output, or the reason for its absence. */

import type { EventName, Lane } from "@quarterdeck/hooks/contract/events";
import { LOCAL_DISPATCH_TYPE } from "../access/local-executor-schema.ts";
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import { IDEMPOTENCY_HEADER, WAIT_HEADER } from "../platform/answer-mac.ts";
import { askHook } from "./check-answer.ts";
import type { ConsoleClient } from "./console-client.ts";

export interface Question {
  readonly event: EventName;
  readonly lane: Lane;
  /** Names the delivery: asked twice it is answered and recorded once. */
  readonly eventId: string;
  /** The input's JSON text. */
  readonly text: string;
  readonly local: LocalExecutorResult | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The executor's word on itself. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of the waiting time reserved for transferring a person's answer. */
const ANSWER_SECONDS = 5;

/** The header with the time that a person who is asked may take. */
export function waitHeader(timeoutMs: number): Readonly<Record<string, string>> {
  return { [WAIT_HEADER]: String(Math.max(0, Math.floor(timeoutMs / 1_000) - ANSWER_SECONDS)) };
}

/** Hook output as the JSON text of an object. Errors: those of `askHook`. */
export async function askConsole(
  console: ConsoleClient,
  answerKey: string | null,
  question: Question,
): Promise<string> {
  const { event, lane, eventId, text, local, timeoutMs, signal, headers } = question;
  const query = event === "pre_tool_use" ? `?lane=${lane}` : "";
  const { text: said } = await askHook(console, answerKey, {
    method: "POST",
    path: `/api/v1/hooks/${event}${query}`,
    headers: {
      "content-type": local ? LOCAL_DISPATCH_TYPE : "application/json",
      [IDEMPOTENCY_HEADER]: eventId,
      ...waitHeader(timeoutMs),
      ...headers,
    },
    body: Buffer.from(local ? `{"input":${text},"local":${JSON.stringify(local)}}` : text),
    timeoutMs,
    signal,
  });
  return said;
}
