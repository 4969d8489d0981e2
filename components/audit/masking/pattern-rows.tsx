"use client";

import { Plus, Trash2 } from "lucide-react";
import { hitsText } from "@/components/audit/masking/masking-words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { MASK_PATTERNS_MAX, type MaskPattern } from "@/server/hooks/contract/masking-setting";

interface PatternRowsProps {
  patterns: readonly MaskPattern[];
  hitsOf: (rule: string) => number;
  onChange: (patterns: MaskPattern[]) => void;
}

/** The workspace's own patterns, each with a name and its hits. */
export function PatternRows({ patterns, hitsOf, onChange }: PatternRowsProps) {
  const change = (index: number, part: Partial<MaskPattern>) =>
    onChange(patterns.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 font-medium">Patterns</legend>
      {patterns.length === 0 ? <p className="text-muted">No patterns yet.</p> : null}
      {patterns.map(({ id, name, pattern }, index) => (
        <div key={id} className="grid grid-cols-[1fr_auto] items-end gap-2 sm:grid-cols-[180px_1fr_auto]">
          <Field
            label={`Name of pattern ${index + 1}`}
            help={hitsText(hitsOf(id))}
            className="col-span-2 sm:col-span-1"
          >
            <Input value={name} onChange={(event) => change(index, { name: event.target.value })} />
          </Field>
          <Field label={`Pattern ${index + 1}`} help="RE2. Each match is replaced.">
            <Input
              value={pattern}
              className="font-mono"
              onChange={(event) => change(index, { pattern: event.target.value })}
            />
          </Field>
          <IconButton
            icon={Trash2}
            label={`Remove pattern ${index + 1}`}
            onClick={() => onChange(patterns.filter((_, at) => at !== index))}
            className="mb-5"
          />
        </div>
      ))}
      <Button
        className="w-fit"
        disabled={patterns.length >= MASK_PATTERNS_MAX}
        onClick={() => onChange([...patterns, { id: newId(), name: "", pattern: "" }])}
      >
        <Plus aria-hidden />
        Add pattern
      </Button>
    </fieldset>
  );
}

/** A page without TLS has no `crypto.randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
