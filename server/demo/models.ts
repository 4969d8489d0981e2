/** The models of the scripted agents: priced, free and unpriced ones, to show cost coverage. */
import type { Model } from "./scenario.ts";

export const LARGE: Model = {
  id: "anthropic/claude-sonnet-4-5",
  price: { input: 3, output: 15, cachedInput: 0.3, cachedWrite: 3.75 },
  contextLimit: 200_000,
};
export const SMALL: Model = {
  id: "openai/gpt-5-mini",
  price: { input: 0.25, output: 2, cachedInput: 0.025, cachedWrite: 0.25 },
  contextLimit: 128_000,
};
export const INCLUDED: Model = { id: "github-copilot/gpt-5", price: "free", contextLimit: 128_000 };
export const LOCAL: Model = { id: "dmr/ai/qwen3", price: "unpriced", contextLimit: 12_288 };
