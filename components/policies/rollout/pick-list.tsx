"use client";

import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";

export type Picked = ReadonlySet<string>;

export interface PickListProps {
  label: string;
  /** The word for one of them, for the field that finds one: "agent". */
  sought: string;
  rows: readonly { readonly id: string; readonly name: string; readonly aside?: string }[];
  picked: Picked;
  onPick: (picked: Picked) => void;
}

const MANY = 8;

/** Some of a list by their boxes, by name: no row moves while a person chooses. A long list is narrowed by name. */
export function PickList({ label, sought, rows, picked, onPick }: PickListProps) {
  const [text, setText] = useState("");
  const toggle = (id: string, isIn: boolean) => {
    const next = new Set(picked);
    if (isIn) next.add(id);
    else next.delete(id);
    onPick(next);
  };
  const shown = rows
    .filter((row) => row.name.toLowerCase().includes(text.trim().toLowerCase()))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {rows.length > MANY ? (
        <Input
          aria-label={`Find: ${sought}`}
          placeholder={`Find: ${sought}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <ul className="flex max-h-56 flex-col gap-1.5 overflow-y-auto rounded-md border p-3">
        {shown.map((row) => (
          <li key={row.id} className="flex items-center justify-between gap-2">
            <span className="wrap-anywhere min-w-0">
              <Checkbox checked={picked.has(row.id)} onChange={(isIn) => toggle(row.id, isIn)} label={row.name} />
            </span>
            {row.aside ? <span className="shrink-0 text-faint text-sm">{row.aside}</span> : null}
          </li>
        ))}
        {shown.length === 0 ? <li className="text-muted">No matches.</li> : null}
      </ul>
    </fieldset>
  );
}
