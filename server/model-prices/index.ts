export { costAtMost, costOfTokens, isLongPrompt } from "./token-cost.ts";
