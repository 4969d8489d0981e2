/** Sends one question to one provider through the AI SDK, and returns its answer in our terms. */

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelQuestion } from "@quarterdeck/hooks";
import type { JudgeUsage } from "@quarterdeck/hooks/contract/judge";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { APICallError, generateText, jsonSchema, type LanguageModel, type LanguageModelUsage, Output } from "ai";
import { ProviderFault, statusFault } from "./fault.ts";
import { type ModelEndpoint, OUTPUT_TOKENS_MAX, type ProviderAnswer } from "./provider-answer.ts";

/** Errors: `ProviderFault`, or the signal's reason. Asks once; whether to ask again is the caller's to say. */
export async function askProvider(
  endpoint: ModelEndpoint,
  modelId: string,
  { system, user, schema }: Pick<ModelQuestion, "system" | "user" | "schema">,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    const answer = await generateText({
      model: modelOf(endpoint, modelId),
      system,
      prompt: user,
      maxOutputTokens: OUTPUT_TOKENS_MAX,
      maxRetries: 0,
      abortSignal: signal,
      ...(schema ? { output: asked(schema) } : {}),
    });
    const { text, finishReason, usage, response } = answer;
    const refusal = refusalIn(response.body);
    return {
      text: text === "" ? (refusal ?? "") : text,
      usage: usageOf(usage),
      ...hourCacheWriteIn(response.body),
      model: response.modelId,
      wasRefused: refusal !== null || finishReason === "content-filter",
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw faultOf(error);
  }
}

function modelOf(
  { name, provider, baseUrl: baseURL, credential, fetch }: ModelEndpoint,
  modelId: string,
): LanguageModel {
  const shared = { baseURL, fetch };
  const apiKey = credential ?? "";
  switch (provider) {
    case "openai":
      return createOpenAI({ ...shared, apiKey }).chat(modelId);
    case "anthropic":
      return createAnthropic({ ...shared, apiKey })(modelId);
    case "google":
      return createGoogleGenerativeAI({ ...shared, apiKey })(modelId);
    case "openai-compatible":
      return createOpenAICompatible({
        ...shared,
        name,
        supportsStructuredOutputs: true,
        ...(credential === null ? {} : { apiKey: credential }),
      }).chatModel(modelId);
  }
}

/** The schema as a hint for the provider. The answer stays text, because the hook parses it. */
function asked({ name, jsonSchema: shape }: NonNullable<ModelQuestion["schema"]>) {
  return { ...Output.object({ name, schema: jsonSchema(shape) }), parseCompleteOutput: async () => null };
}

/** Tokens by kind, none in two kinds; null when the provider reported none. */
function usageOf({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage) {
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const { cacheReadTokens: cached = 0, cacheWriteTokens: written = 0 } = inputTokenDetails;
  const usage: JudgeUsage = {
    inputTokens: Math.max(inputTokens - cached - written, 0),
    outputTokens,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(outputTokenDetails.reasoningTokens ? { reasoningTokens: outputTokenDetails.reasoningTokens } : {}),
  };
  return Object.values(usage).every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0) ? usage : null;
}

/** Anthropic's count of the cache writes that it keeps for an hour; nothing from a provider that does not say. */
function hourCacheWriteIn(body: unknown): Pick<ProviderAnswer, "hourCacheWriteTokens"> {
  const tokens = member(member(member(body, "usage"), "cache_creation"), "ephemeral_1h_input_tokens");
  return Number.isSafeInteger(tokens) && Number(tokens) > 0 ? { hourCacheWriteTokens: Number(tokens) } : {};
}

/** The words that an OpenAI-like answer has in its own field for "I will not"; null without any. */
function refusalIn(body: unknown): string | null {
  const said = member(member(member(member(body, "choices"), "0"), "message"), "refusal");
  return typeof said === "string" && said !== "" ? said : null;
}

function member(value: unknown, name: string): unknown {
  // Holds: an object has members of unknown types.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function faultOf(thrown: unknown): ProviderFault {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof ProviderFault) return error;
    if (APICallError.isInstance(error)) {
      const own = innerFault(error);
      return own ?? apiFault(error);
    }
  }
  return new ProviderFault("provider_error", "gave an answer that is not a model's");
}

function innerFault(error: Error): ProviderFault | null {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderFault) return cause;
  return null;
}

function apiFault({ statusCode: status, message, responseHeaders }: APICallError): ProviderFault {
  if (status === undefined || status < 400)
    return new ProviderFault("provider_error", "gave an answer that is not a model's");
  const said = `answered HTTP ${status}: ${truncateText(message.replace(/\s+/g, " "), 300)}`;
  const seconds = Number(responseHeaders?.["retry-after"]);
  return statusFault(status, said, seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {});
}
