import { z } from "zod";

/** The cards of Home. */
export const HOME_CARDS = [
  "figures",
  "outcomes",
  "denials",
  "agent_changes",
  "more_figures",
  "rule_results",
  "final_decisions",
  "most_denied",
  "agents",
  "coverage",
] as const;
export const homeCard = z.enum(HOME_CARDS);
export type HomeCard = z.infer<typeof homeCard>;

/** The cards of a person who has chosen none. */
export const DEFAULT_CARDS: readonly HomeCard[] = ["figures", "outcomes", "denials", "agent_changes"];

const isDistinct = (cards: readonly HomeCard[]): boolean => new Set(cards).size === cards.length;

/** The cards that are shown, in their order. An empty list hides them all. */
export const saveHomeCards = z.strictObject({
  cards: z.array(homeCard).max(HOME_CARDS.length).refine(isDistinct, "Name each card once."),
});
export type SaveHomeCards = z.infer<typeof saveHomeCards>;

export const homeCardsView = z.strictObject({ cards: z.array(homeCard), isDefault: z.boolean() });
export type HomeCardsView = z.infer<typeof homeCardsView>;
