"use client";

import { useId } from "react";
import { ASK_PLACES, type AskPlace } from "@/server/packs/schema";

const WORDS: Record<AskPlace, { label: string; help: string }> = {
  terminal: {
    label: "In the agent's terminal",
    help: "The person who runs the agent answers. The Approvals page does not list the call.",
  },
  approvals: {
    label: "On the Approvals page",
    help: "An approver answers in Quarterdeck, also on a phone. The agent waits, or makes the call again.",
  },
};

interface AskPlaceFieldProps {
  value: AskPlace;
  onChange: (place: AskPlace) => void;
}

/** The choice of where a rule's questions are asked. */
export function AskPlaceField({ value, onChange }: AskPlaceFieldProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">Questions are asked</legend>
      {ASK_PLACES.map((place) => (
        <label key={place} className="flex cursor-pointer items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-1 accent-accent"
            checked={value === place}
            onChange={() => onChange(place)}
          />
          <span>
            {WORDS[place].label}
            <span className="block text-muted text-sm">{WORDS[place].help}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
