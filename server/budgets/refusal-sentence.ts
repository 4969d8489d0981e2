/** The sentence of a refused model call: the agent's user reads it, and the budget's page shows it in advance. */
import { formatDollars } from "../recording/index.ts";
import type { AccountView, BudgetView } from "./schema.ts";

interface NoRoom {
  readonly name: string;
  readonly usedNano: bigint;
  readonly amountNano: bigint;
  readonly reserveNano: bigint;
}

export function noRoomSentence({ name, usedNano, amountNano, reserveNano }: NoRoom): string {
  const [used, amount, reserve] = [usedNano, amountNano, reserveNano].map(formatDollars);
  return `Budget "${name}": ${used} of ${amount} spent or reserved; this call needs up to ${reserve}.`;
}

export const unpricedSentence = (name: string, model: string): string =>
  `Budget "${name}": the cost of a call to ${model || "a model without a name"} is unknown, and this budget refuses such calls.`;

/** The reservation of one call: the budget's amount, or the cost of the most expensive call so far if that is more. */
export const neededNano = (reserveNano: bigint | null, { dearestNano }: AccountView): bigint =>
  reserveNano !== null && reserveNano > dearestNano ? reserveNano : dearestNano;

/** The sentence of a refused call now, or at the limit while there is room; null when no call is refused. */
export function sentenceAtLimit(budget: BudgetView): string | null {
  const { name, amountNano, reserveNano, isHard, binding, account, state } = budget;
  if (!isHard || binding?.bound.count === 0) return null;
  const isFull = state === "closed" || state === "over";
  const usedNano = isFull ? account.spentNano + account.assumedNano + account.heldNano : amountNano;
  return noRoomSentence({ name, usedNano, amountNano, reserveNano: neededNano(reserveNano, account) });
}
