/** The word for a finding's severity, and the page where its rule is explained. */
import type { Severity } from "@quarterdeck/hooks/contract/text/text-problems";

export const SEVERITY_WORDS: Record<Severity, { readonly word: string; readonly look: string }> = {
  error: { word: "Error", look: "text-deny" },
  warning: { word: "Warning", look: "text-ask" },
  advice: { word: "Advice", look: "text-observe" },
};

export const ruleHref = (rule: string): string => `/policies/rules#${rule}`;
