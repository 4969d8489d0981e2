/** A connection as form texts, and as it is saved. */
import {
  type LongPromptDraft,
  longPromptDraft,
  longPromptField,
  NO_LIMIT,
  NO_LONG_PROMPT,
  readLongPrompt,
} from "@/components/layout/long-prompt-prices/long-prompt-draft";
import type { Wrongs } from "@/components/ui/form-texts";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import {
  type ConnectionView,
  DEFAULT_BASE_URLS,
  type ModelPrice,
  type Provider,
  type SaveConnection,
  saveConnection,
} from "@/server/judges/schema";

export interface PriceDraft extends LongPromptDraft {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cachedInput: string;
  readonly cacheWrite: string;
  readonly hourCacheWrite: string;
  readonly longHourCacheWrite: string;
}

export const NEW_PRICE: PriceDraft = {
  ...{ model: "", input: "", output: "", cachedInput: "", cacheWrite: "", hourCacheWrite: "", longHourCacheWrite: "" },
  ...NO_LONG_PROMPT,
};

export interface ConnectionDraft {
  readonly name: string;
  readonly provider: Provider;
  readonly baseUrl: string;
  /** The key as typed; "" keeps the stored one. */
  readonly credential: string;
  readonly forgetsCredential: boolean;
  readonly callsPerDay: string;
  readonly nanoPerDay: string;
  readonly fallback: string;
  readonly prices: readonly PriceDraft[];
}

export function draftOf(connection: ConnectionView | null): ConnectionDraft {
  if (!connection)
    return {
      name: "openai",
      provider: "openai",
      baseUrl: "",
      credential: "",
      forgetsCredential: false,
      callsPerDay: "",
      nanoPerDay: "",
      fallback: "",
      prices: [],
    };
  const { name, provider, baseUrl, callsPerDay, nanoPerDay, fallback, prices } = connection;
  return {
    name,
    provider,
    baseUrl: baseUrl === DEFAULT_BASE_URLS[provider] ? "" : baseUrl,
    credential: "",
    forgetsCredential: false,
    callsPerDay: callsPerDay === null ? "" : String(callsPerDay),
    nanoPerDay: nanoPerDay === null ? "" : dollarsOf(nanoPerDay),
    fallback: fallback ?? "",
    prices: prices.map((price) => ({
      model: price.model,
      input: dollarsOf(price.input),
      output: dollarsOf(price.output),
      cachedInput: amountText(price.cachedInput),
      cacheWrite: amountText(price.cacheWrite),
      hourCacheWrite: amountText(price.hourCacheWrite),
      longHourCacheWrite: amountText(price.longPrompt?.hourCacheWrite),
      ...longPromptDraft(price.longPrompt),
    })),
  };
}

/** Switches the provider. The name and the address follow unless the person changed them. */
export function withProvider(draft: ConnectionDraft, provider: Provider): ConnectionDraft {
  const followsName = draft.name === draft.provider || draft.name === SUGGESTED[draft.provider];
  return { ...draft, provider, ...(followsName ? { name: SUGGESTED[provider] } : {}) };
}

const SUGGESTED: Readonly<Record<Provider, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  "openai-compatible": "local",
  typesafe: "typesafe",
};

export function read(
  draft: ConnectionDraft,
  before: ConnectionView | null,
): { input: SaveConnection } | { wrongs: Wrongs } {
  const wrongs: Record<string, string> = {};
  const nanoPerDay = amount(draft.nanoPerDay, "nanoPerDay", wrongs);
  const callsPerDay = whole(draft.callsPerDay, wrongs);
  const prices = draft.prices.map((price, index) => priceOf(price, index, wrongs));
  const parsed = saveConnection.safeParse({
    ...(before ? { id: before.id } : {}),
    name: draft.name,
    provider: draft.provider,
    baseUrl: draft.baseUrl,
    ...(draft.forgetsCredential
      ? { credential: null }
      : draft.credential === ""
        ? {}
        : { credential: draft.credential }),
    callsPerDay,
    nanoPerDay,
    fallback: draft.fallback.trim() === "" ? null : draft.fallback,
    prices,
  });
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues) wrongs[longPromptField(path.join("."))] ??= message;
  if (parsed.success && Object.keys(wrongs).length === 0) return { input: parsed.data };
  return { wrongs };
}

const amountText = (nano: bigint | null | undefined): string => (nano == null ? "" : dollarsOf(nano));

const NO_AMOUNT = "Enter an amount in dollars, such as 0.15.";

function amount(text: string, field: string, wrongs: Record<string, string>): bigint | null {
  if (text.trim() === "") return null;
  const nano = nanoOf(text);
  if (nano === null) wrongs[field] = NO_AMOUNT;
  return nano;
}

function whole(text: string, wrongs: Record<string, string>): number | null {
  const plain = text.trim().replaceAll(",", "");
  if (plain === "") return null;
  if (/^\d{1,9}$/.test(plain)) return Number(plain);
  wrongs.callsPerDay = "Enter a whole number, such as 500.";
  return null;
}

function priceOf(draft: PriceDraft, index: number, wrongs: Record<string, string>): ModelPrice {
  const { model, input, output, cachedInput, cacheWrite, hourCacheWrite, longHourCacheWrite } = draft;
  const at = `prices.${index}`;
  const required = (text: string, field: string) => {
    if (text.trim() === "") wrongs[`${at}.${field}`] = "Enter a price, or 0 for a free model.";
    return amount(text, `${at}.${field}`, wrongs) ?? 0n;
  };
  const longPrompt = readLongPrompt(draft, (field, sentence) => {
    wrongs[`${at}.${field}`] = sentence;
  });
  const longHour = amount(longHourCacheWrite, `${at}.longHourCacheWrite`, wrongs);
  if (longHour !== null && longPrompt === undefined) wrongs[`${at}.aboveTokens`] = NO_LIMIT;
  return {
    model,
    input: required(input, "input"),
    output: required(output, "output"),
    cachedInput: amount(cachedInput, `${at}.cachedInput`, wrongs),
    cacheWrite: amount(cacheWrite, `${at}.cacheWrite`, wrongs),
    hourCacheWrite: amount(hourCacheWrite, `${at}.hourCacheWrite`, wrongs),
    ...(longPrompt && { longPrompt: { ...longPrompt, hourCacheWrite: longHour } }),
  };
}
