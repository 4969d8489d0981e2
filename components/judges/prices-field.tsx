"use client";

import { Plus } from "lucide-react";
import { type UseFormReturn, useFieldArray, useWatch } from "react-hook-form";
import { type ConnectionDraft, NEW_PRICE } from "@/components/judges/connection-form";
import { LONG_PROMPT_COLUMNS } from "@/components/layout/long-prompt-prices/long-prompt-draft";
import { Button } from "@/components/ui/button";
import { FormRow } from "@/components/ui/form-row";
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

const MORE = [
  { field: "cacheWrite", label: "Cache write", placeholder: "as input" },
  { field: "hourCacheWrite", label: "Cache write, 1 hour", placeholder: "as cache write" },
  ...LONG_PROMPT_COLUMNS,
  { field: "longHourCacheWrite", label: "Long cache write, 1 hour", placeholder: "as long cache write" },
] as const;

/** Prices per model, in dollars a million tokens. A model without one is unpriced, which is not free. */
export function PricesField({ form }: PricesFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "prices" });
  const prices = useWatch({ control: form.control, name: "prices" });
  const wrongs = form.formState.errors.prices;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-medium text-sm">Prices</legend>
      <p className="text-faint text-sm">
        Dollars per million tokens, by model. Totals do not include calls without a price. For free models, enter 0.
        Cache writes of unknown length have the price of cache writes.
      </p>
      {fields.length === 0 ? null : (
        <ul className="flex flex-col gap-2 pt-1">
          {fields.map(({ id }, index) => (
            <FormRow
              key={id}
              id={id}
              index={index}
              noun="price"
              columns={COLUMNS}
              register={(field) => form.register(`prices.${index}.${field}`)}
              wrongs={wrongs?.[index]}
              removeLabel={`Remove the price of ${prices[index]?.model || "this model"}`}
              onRemove={() => remove(index)}
              gridClassName="grid-cols-[1fr_1fr_1fr_auto] sm:grid-cols-[2fr_1fr_1fr_1fr_auto]"
              nameClassName="max-sm:col-span-4"
              more={{
                label: "Prices for cache writes and long prompts",
                columns: MORE,
                isOpen: MORE.some(({ field }) => (prices[index]?.[field] ?? "") !== ""),
              }}
            />
          ))}
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
