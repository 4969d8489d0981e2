"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type UseFormReturn, useFieldArray, useWatch } from "react-hook-form";
import {
  draftsOf,
  emptyDraft,
  type PriceDraft,
  type PriceField,
  type PriceListDraft,
  readPrices,
} from "@/components/costs/price-draft";
import { LONG_PROMPT_COLUMNS } from "@/components/layout/long-prompt-prices/long-prompt-draft";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { FormRow, type RowColumn } from "@/components/ui/form-row";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { PRICES_MAX, type Price, type SavePrices } from "@/server/costs/prices/schema";

interface PriceEditorProps {
  /** The price list that it begins from; null when closed. */
  from: { readonly version: number; readonly prices: readonly Price[]; readonly models: readonly string[] } | null;
  onClose: () => void;
  onSaved: (version: number) => void;
}

const COLUMNS: readonly RowColumn<PriceField>[] = [
  { field: "pattern", label: "Model or pattern" },
  { field: "input", label: "Input" },
  { field: "output", label: "Output" },
  { field: "cachedInput", label: "Cached input", placeholder: "as input" },
  { field: "cacheWrite", label: "Cache write", placeholder: "as input" },
];

/** A new version of the price list, begun from the newest. */
export function PriceEditor({ from, onClose, onSaved }: PriceEditorProps) {
  return (
    <Dialog
      open={from !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={`Version ${(from?.version ?? 0) + 1} of the price list`}
      description="Dollars per million tokens. An exact model id takes precedence over patterns such as litellm/gemini-*. If a price for cached tokens is empty, the input price applies. Agents report cache writes as one number, so writes that are kept for an hour have the price of cache writes."
    >
      {from ? <VersionForm from={from} onClose={onClose} onSaved={onSaved} /> : null}
    </Dialog>
  );
}

/** The list as it is edited; from an empty one, a line for each model that was met. */
function begun({ prices, models }: NonNullable<PriceEditorProps["from"]>): PriceDraft[] {
  if (prices.length > 0) return draftsOf(prices);
  return models.length === 0 ? [emptyDraft()] : models.map((model) => emptyDraft(model));
}

function VersionForm({ from, onClose, onSaved }: PriceEditorProps & { from: NonNullable<PriceEditorProps["from"]> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(
    readBy((draft: PriceListDraft) => readPrices(draft, from.version)),
    { prices: begun(from), note: "" },
  );
  const save = useMutation(trpc.prices.save.mutationOptions());
  const submit = async (input: SavePrices) => {
    const { version } = await save.mutateAsync(input);
    toast.success(`Version ${version} saved`);
    void queries.invalidateQueries({ queryKey: trpc.prices.pathKey() });
    onSaved(version);
  };
  return (
    <Form form={form} onSubmit={submit} action="Save version" onCancel={onClose}>
      <Lines form={form} />
      <FormField form={form} name="note" label="Note" aside="optional">
        {(field) => <Input {...field} maxLength={200} />}
      </FormField>
    </Form>
  );
}

function Lines({ form }: { form: UseFormReturn<PriceListDraft, unknown, SavePrices> }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "prices" });
  const prices = useWatch({ control: form.control, name: "prices" });
  const wrongs = form.formState.errors.prices;
  const whole = wrongs?.root?.message ?? wrongs?.message;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {fields.map(({ id }, index) => (
          <FormRow
            key={id}
            id={id}
            index={index}
            noun="price"
            columns={COLUMNS}
            register={(field) => form.register(`prices.${index}.${field}`)}
            wrongs={wrongs?.[index]}
            removeLabel={`Remove the price of ${prices[index]?.pattern || "this model"}`}
            onRemove={() => remove(index)}
            gridClassName="grid-cols-2 sm:grid-cols-[2.5fr_1fr_1fr_1fr_1fr_auto]"
            nameClassName="max-sm:col-span-2"
            more={{
              label: "Prices for long prompts",
              columns: LONG_PROMPT_COLUMNS,
              isOpen: (prices[index]?.aboveTokens ?? "") !== "",
            }}
          />
        ))}
      </ul>
      {whole ? <ErrorLine>{whole}</ErrorLine> : null}
      <Button
        size="sm"
        className="self-start"
        disabled={fields.length >= PRICES_MAX}
        onClick={() => append(emptyDraft())}
      >
        <Plus aria-hidden /> Add a price
      </Button>
    </>
  );
}
