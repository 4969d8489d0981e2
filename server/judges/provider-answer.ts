/** A provider's address and its answer, apart from the AI SDK, which is loaded with the first question. */
import type { JudgeUsage } from "@quarterdeck/hooks/contract/judge";
import type { ModelProvider } from "./schema.ts";

/** The address of a provider, with the key and the way to it. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly credential: string | null;
  readonly fetch: typeof fetch;
}

export interface ModelEndpoint extends Endpoint {
  readonly provider: ModelProvider;
}

export interface ProviderAnswer {
  readonly text: string;
  readonly usage: JudgeUsage | null;
  /** Cache writes of `usage` that the provider keeps for an hour; absent if it does not say. */
  readonly hourCacheWriteTokens?: number;
  /** The model that answered, in the provider's words. */
  readonly model: string;
  readonly wasRefused: boolean;
}

export const OUTPUT_TOKENS_MAX = 4_096;
