"use client";

import { Plus, X } from "lucide-react";
import { useId } from "react";
import { addItem, removeItem, setItem } from "@/components/policies/document/edits";
import type { Path } from "@/components/policies/document/yaml-tree";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { useForm } from "@/components/policies/form/form-context";
import { TypedText } from "@/components/policies/form/typed-text";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";

export interface ListFieldProps {
  label: string;
  help: string;
  /** False hides the button that adds one: what it adds would be an error. */
  takesItems: boolean;
  path: Path;
  items: readonly string[];
  error: string | undefined;
}

/** Texts in an order: each in its own line. */
export function ListField({ label, help, takesItems, path, items, error }: ListFieldProps) {
  const { edit } = useForm();
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1.5" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is what stands at its place
        <div key={at} className="flex items-center gap-1">
          <TypedText
            mono
            aria-label={`${label}, ${at + 1}`}
            value={item}
            onText={(next) => void edit((text) => setItem(text, [...path, at], next), true)}
          />
          <IconButton
            icon={X}
            label={`Remove ${label.toLowerCase()} ${at + 1}`}
            onClick={() => void edit((text) => removeItem(text, [...path, at]))}
          />
        </div>
      ))}
      {takesItems ? (
        <div>
          <Button size="sm" onClick={() => void edit((text) => addItem(text, path, "", HOOK_ORDER))}>
            <Plus aria-hidden /> Add an argument
          </Button>
        </div>
      ) : null}
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        {help}
      </p>
    </fieldset>
  );
}
