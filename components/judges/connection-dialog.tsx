"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type ConnectionDraft, draftOf, read, type Wrongs, withProvider } from "@/components/judges/connection-form";
import { PROVIDER_NAMES } from "@/components/judges/labels";
import { PricesField } from "@/components/judges/prices-field";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type ConnectionView, DEFAULT_BASE_URLS, PROVIDERS } from "@/server/judges/schema";

export interface ConnectionDialogProps {
  editing: ConnectionView | "new" | null;
  onClose: () => void;
  onSaved: () => void;
}

/** A connection, new or changed: where a model is asked, with which key, at what price, up to which cap. */
export function ConnectionDialog({ editing, onClose, onSaved }: ConnectionDialogProps) {
  const before = editing === "new" ? null : editing;
  return (
    <Dialog
      open={editing !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={before ? `Edit ${before.name}` : "New connection"}
      description="Reference it in a hook as model: NAME/MODEL."
    >
      {editing === null ? null : <Form key={before?.id ?? "new"} before={before} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

const OPTIONS = PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] }));

function Form({
  before,
  onClose,
  onSaved,
}: {
  before: ConnectionView | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState(() => draftOf(before));
  const [wrongs, setWrongs] = useState<Wrongs>({});
  const save = useMutation(trpc.judges.save.mutationOptions());
  const put = (change: Partial<ConnectionDraft>) => setDraft((now) => ({ ...now, ...change }));
  const isTaken = appCodeOf(save.error) === "name_taken";
  const submit = () => {
    const result = read(draft, before);
    setWrongs("wrongs" in result ? result.wrongs : {});
    if ("wrongs" in result) return;
    save.mutate(result.input, {
      onSuccess: () => {
        toast.success(before ? `${result.input.name} is saved` : `${result.input.name} is connected`);
        onSaved();
        onClose();
      },
    });
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
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Provider" help="Ollama, vLLM, Docker Model Runner and most gateways are OpenAI-compatible.">
          <Select
            value={draft.provider}
            onChange={(provider) => setDraft((now) => withProvider(now, provider))}
            options={OPTIONS}
          />
        </Field>
        <Field
          label="Name"
          error={wrongs.name ?? (isTaken ? failureSentence(save.error) : undefined)}
          help={
            before && before.name !== draft.name ? `Judges that ask ${before.name}/… fail from then on.` : undefined
          }
        >
          <Input
            mono
            value={draft.name}
            maxLength={80}
            autoComplete="off"
            onChange={(event) => put({ name: event.target.value })}
          />
        </Field>
      </div>
      <Field
        label="Address"
        error={wrongs.baseUrl}
        aside={DEFAULT_BASE_URLS[draft.provider] === "" ? undefined : "optional"}
        help={
          DEFAULT_BASE_URLS[draft.provider] === ""
            ? "Up to and with /v1. Private addresses other than this machine's must be allowed by the operator."
            : "Only for a gateway in between; otherwise the provider's own."
        }
      >
        <Input
          mono
          value={draft.baseUrl}
          autoComplete="off"
          inputMode="url"
          placeholder={DEFAULT_BASE_URLS[draft.provider] || "http://127.0.0.1:11434/v1"}
          onChange={(event) => put({ baseUrl: event.target.value })}
        />
      </Field>
      <KeyField before={before} draft={draft} put={put} error={wrongs.credential} />
      <PricesField prices={draft.prices} onChange={(prices) => put({ prices })} wrongs={wrongs} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Calls a day"
          aside="optional"
          error={wrongs.callsPerDay}
          help="At most this many, all its judges together. Beyond, they fail and deny."
        >
          <Input
            inputMode="numeric"
            value={draft.callsPerDay}
            placeholder="no limit"
            onChange={(event) => put({ callsPerDay: event.target.value })}
          />
        </Field>
        <Field
          label="Dollars a day"
          aside="optional"
          error={wrongs.nanoPerDay}
          help="Needs a price for every model that is asked: without one nothing is asked."
        >
          <Input
            inputMode="decimal"
            value={draft.dollarsPerDay}
            placeholder="no limit"
            onChange={(event) => put({ dollarsPerDay: event.target.value })}
          />
        </Field>
      </div>
      {save.error && !isTaken ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {before ? "Save" : "Connect"}
        </Button>
      </div>
    </form>
  );
}

interface KeyFieldProps {
  before: ConnectionView | null;
  draft: ConnectionDraft;
  put: (change: Partial<ConnectionDraft>) => void;
  error: string | undefined;
}

/** The field for the key. A key typed here goes in and never comes out again. */
function KeyField({ before, draft, put, error }: KeyFieldProps) {
  const stored = before?.credential ?? null;
  const isNeeded = draft.provider !== "openai-compatible";
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Key"
        aside={stored || isNeeded ? undefined : "optional"}
        error={error}
        help={
          stored ? (
            <>
              The stored one{" "}
              {stored.lastFour === null ? null : (
                <>
                  ends in <code>{stored.lastFour}</code> and{" "}
                </>
              )}
              was set <RelativeTime at={stored.setAt} />. Leave this empty to keep it.
            </>
          ) : (
            "Stored encrypted, sent only to this address, and shown to nobody again."
          )
        }
      >
        <Input
          mono
          type="password"
          value={draft.credential}
          autoComplete="new-password"
          disabled={draft.forgetsCredential}
          placeholder={stored ? "unchanged" : ""}
          onChange={(event) => put({ credential: event.target.value })}
        />
      </Field>
      {stored ? (
        <Checkbox
          checked={draft.forgetsCredential}
          onChange={(forgetsCredential) => put({ forgetsCredential, ...(forgetsCredential ? { credential: "" } : {}) })}
          label="Erase the stored key"
        />
      ) : null}
    </div>
  );
}
