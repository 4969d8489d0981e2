/** The parts of a policy's evaluators that the form shows, read from any text. Pure. */
import { choiceNames } from "@quarterdeck/hooks/contract/evaluator-definitions";
import { type Fields, isFields } from "@/components/policies/document/intent";

/** The order of the top-level keys. */
export const SECTION_ORDER = ["version", "profile", "evaluators", "routing", "hooks"] as const;
export const DEFINITION_ORDER = ["provider", "model", "type", "instructions", "choices", "timeout"] as const;

/** An empty definition; the check reports its missing parts. */
export const NEW_EVALUATOR = { provider: "typesafe", model: "", type: "boolean", instructions: "" } as const;

export const definitionOf = (evaluators: Fields, name: string): Fields | null => {
  const found = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined;
  return isFields(found) ? found : null;
};

/** The possible outcomes of a definition, and the outcomes already written. */
export function outcomesOf(definition: Fields | null, written: unknown): string[] {
  const own = definition?.type === "choice" ? choiceNames(definition.choices) : ["true", "false"];
  return [...new Set([...own, ...(isFields(written) ? Object.keys(written) : [])])];
}

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A number where the text is one; else the text, for the check to refuse. */
export const numberOf = (text: string): number | string =>
  /^\d{1,4}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : text;
