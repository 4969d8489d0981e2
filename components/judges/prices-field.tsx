"use client";

import { Plus, Trash2 } from "lucide-react";
import type { PriceDraft, Wrongs } from "@/components/judges/connection-form";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";

interface PricesFieldProps {
  prices: readonly PriceDraft[];
  onChange: (prices: readonly PriceDraft[]) => void;
  wrongs: Wrongs;
}

const COLUMNS = [
  { field: "model", label: "Model", placeholder: "gpt-4o-mini" },
  { field: "input", label: "Input", placeholder: "0.15" },
  { field: "output", label: "Output", placeholder: "0.60" },
  { field: "cachedInput", label: "Cached", placeholder: "as input" },
] as const;

/** Prices per model, in dollars a million tokens. A model without one is unpriced, which is not free. */
export function PricesField({ prices, onChange, wrongs }: PricesFieldProps) {
  const put = (key: number, change: Partial<PriceDraft>) =>
    onChange(prices.map((price) => (price.key === key ? { ...price, ...change } : price)));
  const add = () => {
    const key = Math.max(-1, ...prices.map((price) => price.key)) + 1;
    onChange([...prices, { key, model: "", input: "", output: "", cachedInput: "" }]);
  };
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-medium text-sm">Prices</legend>
      <p className="text-faint text-sm">
        Dollars for a million tokens, by model. Without a price a call is unpriced and in no total; write 0 for what is
        free.
      </p>
      {prices.length === 0 ? null : (
        <ul className="flex flex-col gap-2 pt-1">
          {prices.map((price, index) => {
            const wrong = COLUMNS.map(({ field }) => wrongs[`prices.${index}.${field}`]).find(Boolean);
            return (
              <li key={price.key} className="flex flex-col gap-1">
                <div className="grid grid-cols-[1fr_1fr_1fr_auto] items-end gap-2 sm:grid-cols-[2fr_1fr_1fr_1fr_auto]">
                  {COLUMNS.map(({ field, label, placeholder }) => (
                    <div key={field} className={field === "model" ? "max-sm:col-span-4" : ""}>
                      <span aria-hidden className={index === 0 ? "text-faint text-xs" : "text-faint text-xs sm:hidden"}>
                        {label}
                      </span>
                      <Input
                        mono
                        aria-label={`${label}, price ${index + 1}`}
                        autoComplete="off"
                        inputMode={field === "model" ? "text" : "decimal"}
                        value={price[field]}
                        placeholder={placeholder}
                        aria-invalid={wrongs[`prices.${index}.${field}`] ? true : undefined}
                        onChange={(event) => put(price.key, { [field]: event.target.value })}
                      />
                    </div>
                  ))}
                  <IconButton
                    icon={Trash2}
                    size="lg"
                    label={`Remove the price of ${price.model || "this model"}`}
                    onClick={() => onChange(prices.filter((one) => one.key !== price.key))}
                  />
                </div>
                {wrong ? (
                  <p role="alert" className="text-deny text-sm">
                    {wrong}
                  </p>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
      {wrongs.prices ? (
        <p role="alert" className="text-deny text-sm">
          {wrongs.prices}
        </p>
      ) : null}
      <Button size="sm" className="mt-1 self-start" onClick={add}>
        <Plus aria-hidden /> Add a price
      </Button>
    </fieldset>
  );
}
