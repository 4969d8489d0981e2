"use client";

import { findMatcherKind, SELECTABLE_KINDS } from "@quarterdeck/hooks/contract/tool-kinds";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const EVERY_TOOL = "every";
const OTHER = "other";

const OPTIONS = [
  ...SELECTABLE_KINDS.map(({ kind, title }) => ({ value: kind as string, label: `${title} (any client)` })), // holds: a kind is a text
  { value: EVERY_TOOL, label: "Every tool" },
  { value: OTHER, label: "Tools by name", disabled: true },
];

/** The kind that a matcher selects, and the choice of another: it writes the names that every client gives to such tools. */
export function ToolKindField({ matcher, onMatcher }: { matcher: string; onMatcher: (matcher: string) => void }) {
  const choose = (value: string) => {
    const chosen = SELECTABLE_KINDS.find(({ kind }) => kind === value);
    if (chosen) onMatcher(chosen.matcher);
    else if (value === EVERY_TOOL) onMatcher("*");
  };
  return (
    <Field label="Tool kind" help="Selects tools of this kind in every client, whatever their names.">
      <Select value={choiceOf(matcher)} onChange={choose} options={OPTIONS} />
    </Field>
  );
}

function choiceOf(matcher: string): string {
  if (matcher === "" || matcher === "*") return EVERY_TOOL;
  return findMatcherKind(matcher)?.kind ?? OTHER;
}
