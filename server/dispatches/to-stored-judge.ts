import type { JudgeCall } from "@quarterdeck/hooks/contract/judge";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { pgText } from "../recording/index.ts";
import type { StoredJudge } from "../recording/schema.ts";

/** Enough for every question a person wants to read; the model may have been sent more. */
const PROMPT_STORED_MAX = 131_072;
const REPLY_STORED_MAX = 65_536;
const WORD_STORED_MAX = 512;

/** The stored question to a model, with its reply. `mask` hides secrets; the prompt was redacted before it was sent. */
export function toStoredJudge(call: JudgeCall, mask: (text: string) => string): StoredJudge {
  const { model, provider, answeredBy, schema, label, evaluator, system, prompt, reply, ...rest } = call;
  const { usage, costNanoUsd, latencyMs, cause, skipped } = rest;
  return {
    model: kept(model, WORD_STORED_MAX),
    ...(provider === undefined ? {} : { provider: kept(provider, WORD_STORED_MAX) }),
    ...(answeredBy === undefined ? {} : { answeredBy: kept(answeredBy, WORD_STORED_MAX) }),
    ...(skipped === undefined
      ? {}
      : { skipped: { provider: kept(skipped.provider, WORD_STORED_MAX), cause: skipped.cause } }),
    ...(schema === undefined ? {} : { schema: kept(schema, WORD_STORED_MAX) }),
    ...(label === undefined ? {} : { label: kept(label, WORD_STORED_MAX) }),
    ...(evaluator === undefined ? {} : { evaluator: kept(evaluator, WORD_STORED_MAX) }),
    ...(system === undefined ? {} : { system: kept(system, PROMPT_STORED_MAX) }),
    ...(prompt === undefined ? {} : { prompt: kept(prompt, PROMPT_STORED_MAX) }),
    ...(reply === undefined ? {} : { reply: kept(mask(reply), REPLY_STORED_MAX) }),
    ...(usage === undefined ? {} : { usage }),
    ...(costNanoUsd === undefined ? {} : { costNano: costNanoUsd === null ? null : costNanoUsd.toString() }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(cause === undefined ? {} : { cause }),
  };
}

const kept = (text: string, charactersMax: number): string => pgText(truncateText(text, charactersMax));
