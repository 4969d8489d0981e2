"use client";

import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";

export interface ChoicesFieldProps {
  label: string;
  help: string;
  /** Value to words. */
  choices: Readonly<Record<string, string>>;
  chosen: readonly string[];
  error: string | undefined;
  onChosen: (chosen: readonly string[]) => void;
}

/** Some of a short list. A value that is not in the list is shown, and can be taken out. */
export function ChoicesField({ label, help, choices, chosen, error, onChosen }: ChoicesFieldProps) {
  const id = useId();
  const unknown = chosen.filter((value) => !Object.hasOwn(choices, value));
  const options = [
    ...Object.entries(choices),
    ...unknown.map((value): [string, string] => [value, `${value} (unknown)`]),
  ];
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {options.map(([value, words]) => (
          <Checkbox
            key={value}
            label={words}
            checked={chosen.includes(value)}
            onChange={(is) => onChosen(is ? [...chosen, value] : chosen.filter((one) => one !== value))}
          />
        ))}
      </div>
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        {help}
      </p>
    </fieldset>
  );
}
