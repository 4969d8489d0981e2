"use client";

import { Plus, Trash2 } from "lucide-react";
import { type UseFormReturn, useFieldArray, useWatch } from "react-hook-form";
import type { ConnectionDraft } from "@/components/judges/connection-form";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import type { SaveConnection } from "@/server/judges/schema";

interface PricesFieldProps {
  form: UseFormReturn<ConnectionDraft, unknown, SaveConnection>;
}

const COLUMNS = [
  { field: "model", label: "Model", placeholder: "gpt-4o-mini" },
  { field: "input", label: "Input", placeholder: "0.15" },
  { field: "output", label: "Output", placeholder: "0.60" },
  { field: "cachedInput", label: "Cached", placeholder: "as input" },
] as const;

const NEW_PRICE = { model: "", input: "", output: "", cachedInput: "" };

/** Prices per model, in dollars a million tokens. A model without one is unpriced, which is not free. */
export function PricesField({ form }: PricesFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "prices" });
  const prices = useWatch({ control: form.control, name: "prices" });
  const wrongs = form.formState.errors.prices;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-medium text-sm">Prices</legend>
      <p className="text-faint text-sm">
        Dollars for a million tokens, by model. Without a price a call is unpriced and in no total; write 0 for what is
        free.
      </p>
      {fields.length === 0 ? null : (
        <ul className="flex flex-col gap-2 pt-1">
          {fields.map(({ id }, index) => {
            const wrong = COLUMNS.map(({ field }) => wrongs?.[index]?.[field]?.message).find(Boolean);
            return (
              <li key={id} className="flex flex-col gap-1">
                <div className="grid grid-cols-[1fr_1fr_1fr_auto] items-end gap-2 sm:grid-cols-[2fr_1fr_1fr_1fr_auto]">
                  {COLUMNS.map(({ field, label, placeholder }) => (
                    <div key={field} className={field === "model" ? "max-sm:col-span-4" : ""}>
                      <span aria-hidden className={index === 0 ? "text-faint text-xs" : "text-faint text-xs sm:hidden"}>
                        {label}
                      </span>
                      <Input
                        {...form.register(`prices.${index}.${field}`)}
                        mono
                        aria-label={`${label}, price ${index + 1}`}
                        autoComplete="off"
                        inputMode={field === "model" ? "text" : "decimal"}
                        placeholder={placeholder}
                        aria-invalid={wrongs?.[index]?.[field] ? true : undefined}
                        aria-describedby={wrong ? `${id}-wrong` : undefined}
                      />
                    </div>
                  ))}
                  <IconButton
                    icon={Trash2}
                    size="lg"
                    label={`Remove the price of ${prices[index]?.model || "this model"}`}
                    onClick={() => remove(index)}
                  />
                </div>
                {wrong ? (
                  <p id={`${id}-wrong`} role="alert" className="text-deny text-sm">
                    {wrong}
                  </p>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
      {wrongs?.root || wrongs?.message ? (
        <p role="alert" className="text-deny text-sm">
          {wrongs.root?.message ?? wrongs.message}
        </p>
      ) : null}
      <Button size="sm" className="mt-1 self-start" onClick={() => append(NEW_PRICE)}>
        <Plus aria-hidden /> Add a price
      </Button>
    </fieldset>
  );
}
