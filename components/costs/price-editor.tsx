"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { draftsOf, emptyDraft, FIELDS, type PriceField, pricesOf } from "@/components/costs/price-draft";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { PRICES_MAX, type Price } from "@/server/costs/prices/schema";

interface PriceEditorProps {
  /** The price list that it begins from; null when closed. */
  from: { readonly version: number; readonly prices: readonly Price[]; readonly models: readonly string[] } | null;
  onClose: () => void;
  onSaved: (version: number) => void;
}

const LABELS: Readonly<Record<PriceField, string>> = {
  pattern: "Model or pattern",
  input: "Input",
  output: "Output",
  cachedInput: "Cached input",
  cacheWrite: "Cache write",
};

/** A new version of the price list, begun from the newest. */
export function PriceEditor({ from, onClose, onSaved }: PriceEditorProps) {
  return (
    <Dialog
      open={from !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={`Version ${(from?.version ?? 0) + 1} of the price list`}
      description="Dollars for a million tokens. A model's own id goes before patterns such as litellm/gemini-*; an empty cached price is that of input."
    >
      {from ? <Form from={from} onClose={onClose} onSaved={onSaved} /> : null}
    </Dialog>
  );
}

function Form({ from, onClose, onSaved }: PriceEditorProps & { from: NonNullable<PriceEditorProps["from"]> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState(() => {
    const known = draftsOf(from.prices);
    const missing = from.models.map((model, index) => emptyDraft(known.length + index, model));
    return known.length === 0 ? [...missing, ...(missing.length === 0 ? [emptyDraft(0)] : [])] : known;
  });
  const [note, setNote] = useState("");
  const [isTried, setIsTried] = useState(false);
  const save = useMutation(trpc.prices.save.mutationOptions());
  const { prices, wrongs } = pricesOf(drafts);
  const put = (key: number, field: PriceField, text: string) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, [field]: text } : draft)));
  const submit = () => {
    setIsTried(true);
    if (prices === null) return;
    save.mutate(
      { prices, note, baseVersion: from.version },
      {
        onSuccess: ({ version }) => {
          toast.success(`Version ${version} is saved`);
          void queries.invalidateQueries({ queryKey: trpc.prices.pathKey() });
          onSaved(version);
        },
      },
    );
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ul className="flex flex-col gap-2">
        {drafts.map((draft, index) => (
          <li key={draft.key} className="flex flex-col gap-1">
            <div className="grid grid-cols-2 items-end gap-2 sm:grid-cols-[2.5fr_1fr_1fr_1fr_1fr_auto]">
              {FIELDS.map((field) => (
                <div key={field} className={field === "pattern" ? "max-sm:col-span-2" : ""}>
                  <span aria-hidden className={index === 0 ? "text-faint text-xs" : "text-faint text-xs sm:hidden"}>
                    {LABELS[field]}
                  </span>
                  <Input
                    mono
                    aria-label={`${LABELS[field]}, price ${index + 1}`}
                    autoComplete="off"
                    inputMode={field === "pattern" ? "text" : "decimal"}
                    value={draft[field]}
                    placeholder={field === "cachedInput" || field === "cacheWrite" ? "as input" : ""}
                    aria-invalid={isTried && wrongs.has(draft.key) ? true : undefined}
                    onChange={(event) => put(draft.key, field, event.target.value)}
                  />
                </div>
              ))}
              <IconButton
                icon={Trash2}
                size="lg"
                label={`Remove the price of ${draft.pattern || "this model"}`}
                onClick={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
              />
            </div>
            {isTried && wrongs.has(draft.key) ? (
              <p role="alert" className="text-deny text-sm">
                {wrongs.get(draft.key)}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className="self-start"
        disabled={drafts.length >= PRICES_MAX}
        onClick={() => setDrafts([...drafts, emptyDraft(Math.max(-1, ...drafts.map(({ key }) => key)) + 1)])}
      >
        <Plus aria-hidden /> Add a price
      </Button>
      <Field label="Note" aside="optional">
        <Input maxLength={200} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save version
        </Button>
      </div>
    </form>
  );
}
