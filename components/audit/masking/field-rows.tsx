"use client";

import { Plus, Trash2 } from "lucide-react";
import { hitsText } from "@/components/audit/masking/masking-words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { MASK_FIELDS_MAX, type MaskedField } from "@/server/hooks/contract/masking-setting";

interface FieldRowsProps {
  fields: readonly MaskedField[];
  hits: number;
  onChange: (fields: MaskedField[]) => void;
}

/** Fields of tools' calls that are never stored, whatever they hold. */
export function FieldRows({ fields, hits, onChange }: FieldRowsProps) {
  const change = (index: number, part: Partial<MaskedField>) =>
    onChange(fields.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 font-medium">Fields that are never stored</legend>
      <p className="text-muted">
        {fields.length === 0
          ? "No fields yet. The value of such a field is also masked in other texts of the same call."
          : `All fields together: ${hitsText(hits)}.`}
      </p>
      {fields.map(({ tool, path }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity, and their inputs are controlled.
        <div key={index} className="grid grid-cols-[1fr_auto] items-end gap-2 sm:grid-cols-[180px_1fr_auto]">
          <Field
            label={`Tool of field ${index + 1}`}
            help="RE2, or * for every tool."
            className="col-span-2 sm:col-span-1"
          >
            <Input value={tool} onChange={(event) => change(index, { tool: event.target.value })} />
          </Field>
          <Field label={`Path of field ${index + 1}`} help="Such as tool_input.password; * is any one member.">
            <Input
              value={path}
              className="font-mono"
              onChange={(event) => change(index, { path: event.target.value })}
            />
          </Field>
          <IconButton
            icon={Trash2}
            label={`Remove field ${index + 1}`}
            onClick={() => onChange(fields.filter((_, at) => at !== index))}
            className="mb-5"
          />
        </div>
      ))}
      <Button
        className="w-fit"
        disabled={fields.length >= MASK_FIELDS_MAX}
        onClick={() => onChange([...fields, { tool: "*", path: "tool_input." }])}
      >
        <Plus aria-hidden />
        Add field
      </Button>
    </fieldset>
  );
}
