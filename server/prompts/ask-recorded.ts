/** One recorded call put to a judge as a hook would put it: the same executor, the same redaction, the same reading. */

import {
  contractOf,
  createExecutor,
  type EventName,
  type Executor,
  type HookInput,
  type HookReport,
  type HooksConfig,
  isEventName,
  type ModelClient,
  modelKind,
  redactText,
  systemClock,
} from "@quarterdeck/hooks";
import { decisionOfJudge } from "@quarterdeck/hooks/contract/judge";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { pgText } from "../recording/index.ts";
import { PROFILE } from "./preview.ts";
import type { JudgedText } from "./schema.ts";
import type { Asked } from "./trial-rows.ts";

const REASON_CHARS_MAX = 4_000;
const REPLY_CHARS_MAX = 16_384;

export interface AskedEvent {
  readonly event: string;
  readonly input: HookInput;
}

/** Asks one question. Errors: none; every failure is part of the result. */
export async function askRecorded(
  client: ModelClient,
  { template, model, schema }: JudgedText,
  { event, input }: AskedEvent,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<Asked> {
  if (!isEventName(event, PROFILE)) return failed("template", `no event is called ${event}`);
  const hook = { type: "model", name: "trial", model, prompt: template, timeout: timeoutSeconds };
  const executor = executorOf(client, event, schema === "" ? hook : { ...hook, schema });
  // An own signal, so that its listeners are removed with it; the trial's signal is used for a thousand questions.
  const own = new AbortController();
  const end = () => own.abort(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    const { hooks } = await executor.dispatch({ event, input, signal: own.signal });
    const [report] = hooks;
    return report ? answerOf(report, schema) : failed("template", "the judge was not asked");
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function executorOf(client: ModelClient, event: EventName, hook: object): Executor {
  const list = contractOf(event, PROFILE).matchesTools ? [{ hooks: [hook] }] : [hook];
  return createExecutor({
    // Holds: an event's own list, by whether it matches tools.
    config: { [event]: list } as HooksConfig,
    profile: PROFILE,
    kinds: [modelKind(client, { redact: redactText })],
    clock: systemClock,
    workingDir: "/",
  });
}

function answerOf({ outcome, said, error, output, judge }: HookReport, schema: string): Asked {
  const specific = output?.hook_specific_output;
  const words = specific?.permission_decision_reason ?? specific?.additional_context ?? output?.reason ?? "";
  const isFailed = outcome.kind === "failed";
  const usage = judge?.usage;
  const cost = judge?.costNanoUsd;
  return {
    verdict: isFailed ? "failed" : schema !== "" ? decisionOfJudge(said, schema) : words === "" ? "nothing" : "context",
    // Without a cause it failed before the question was ready.
    cause: isFailed ? (judge?.cause ?? "template") : "",
    reason: kept(isFailed ? (error ?? "it failed") : words, REASON_CHARS_MAX),
    reply: judge?.reply === undefined ? null : kept(redactText(judge.reply), REPLY_CHARS_MAX),
    latencyMs: judge?.latencyMs ?? null,
    inputTokens: usage ? usage.inputTokens + (usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0) : null,
    outputTokens: usage?.outputTokens ?? null,
    pricing: cost === undefined ? "unanswered" : cost === null ? "unpriced" : cost === 0n ? "free" : "priced",
    costNano: cost ?? null,
    answeredBy: judge?.answeredBy ?? null,
  };
}

function failed(cause: string, reason: string): Asked {
  const nothing = { reply: null, latencyMs: null, inputTokens: null, outputTokens: null };
  const unknown = { costNano: null, answeredBy: null };
  return { ...nothing, ...unknown, verdict: "failed", cause, reason, pricing: "unanswered" };
}

const kept = (text: string, charactersMax: number): string => pgText(truncateText(text, charactersMax));

/** The result for a call that is no longer stored. */
export const forgotten: Asked = failed("template", "the recorded call was deleted");
