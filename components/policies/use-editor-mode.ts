"use client";

import { useLocalStorage } from "@/components/ui/use-local-storage";
import { useMedia } from "@/components/ui/use-media";

/** The editor modes of a policy: its rules as sentences, its text, or both side by side if they fit. */
export const EDITOR_MODES = [
  { value: "form", label: "Rules" },
  { value: "yaml", label: "YAML" },
  // Hidden where it does not fit, before the width of the page is known.
  { value: "both", label: "Both", className: "max-[1199px]:hidden" },
] as const;
export type EditorMode = (typeof EDITOR_MODES)[number]["value"];

const isHand = (stored: unknown): stored is EditorMode => EDITOR_MODES.some(({ value }) => value === stored);

/** The editor mode in use and the modes that fit. The choice is remembered; a narrow page shows one at a time. */
export function useEditorMode(): {
  hand: EditorMode;
  setHand: (hand: EditorMode) => void;
  hands: readonly EditorMode[];
} {
  const isWide = useMedia("(min-width: 1200px)", true);
  const [chosen, setHand] = useLocalStorage<EditorMode>("policy.mode", "form", isHand);
  const hands: readonly EditorMode[] = isWide ? ["form", "yaml", "both"] : ["form", "yaml"];
  return { hand: hands.includes(chosen) ? chosen : "yaml", setHand, hands };
}
