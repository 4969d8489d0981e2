"use client";

import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { NAME_PATTERN_MAX } from "@/server/agents/name-pattern-schema";

export interface NamePatternFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The agents that it matches, in a sentence; null while there is no pattern. */
  preview: string | null;
}

/** A pattern of names, with the agents that it matches as it is typed. */
export function NamePatternField({ value, onChange, preview }: NamePatternFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <Field label="Pattern" help="* stands for any characters, ? for one. Agents join and leave by their names.">
        <Input
          mono
          value={value}
          maxLength={NAME_PATTERN_MAX}
          placeholder="prod-*"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <p aria-live="polite" className="break-words text-muted text-sm">
        {preview}
      </p>
    </div>
  );
}
