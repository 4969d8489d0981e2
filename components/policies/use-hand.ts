"use client";

import { useRemembered } from "@/components/ui/remembered";
import { useMedia } from "@/components/ui/use-media";

/** By which hand a policy is edited: the form, the text, or both side by side where there is room. */
export const HANDS = [
  { value: "form", label: "Form" },
  { value: "yaml", label: "YAML" },
  { value: "both", label: "Both" },
] as const;
export type Hand = (typeof HANDS)[number]["value"];

const isHand = (stored: unknown): stored is Hand => HANDS.some(({ value }) => value === stored);

/** The hand in use and the ones there is room for. What was chosen is remembered; a narrow page shows one at a time. */
export function useHand(): { hand: Hand; setHand: (hand: Hand) => void; hands: readonly Hand[] } {
  const isWide = useMedia("(min-width: 1200px)");
  const [chosen, setHand] = useRemembered<Hand>("policy.hand", "both", isHand);
  const hands: readonly Hand[] = isWide ? ["form", "yaml", "both"] : ["form", "yaml"];
  return { hand: hands.includes(chosen) ? chosen : "yaml", setHand, hands };
}
