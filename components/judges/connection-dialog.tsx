"use client";

import { useMutation } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type ConnectionDraft, draftOf, read, withProvider } from "@/components/judges/connection-form";
import { PROVIDER_NAMES } from "@/components/judges/labels";
import { PricesField } from "@/components/judges/prices-field";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import {
  type ConnectionView,
  DEFAULT_BASE_URLS,
  EVALUATOR_PROVIDER,
  PROVIDERS,
  type SaveConnection,
} from "@/server/judges/schema";

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
      description="In a hook, write model: NAME/MODEL. In an evaluator, write provider: NAME."
    >
      {editing === null ? null : (
        <ConnectionForm key={before?.id ?? "new"} before={before} onClose={onClose} onSaved={onSaved} />
      )}
    </Dialog>
  );
}

const OPTIONS = PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] }));

interface ConnectionFormProps {
  before: ConnectionView | null;
  onClose: () => void;
  onSaved: () => void;
}

function ConnectionForm({ before, onClose, onSaved }: ConnectionFormProps) {
  const trpc = useTRPC();
  const form = useForm(
    readBy((draft: ConnectionDraft) => read(draft, before)),
    draftOf(before),
  );
  const [provider, name] = useWatch({ control: form.control, name: ["provider", "name"] });
  const isOwnAddress = DEFAULT_BASE_URLS[provider] === "";
  const save = useMutation(trpc.judges.save.mutationOptions());
  const submit = async (values: SaveConnection) => {
    await save.mutateAsync(values);
    toast.success(before ? `${values.name} saved` : `${values.name} connected`);
    onSaved();
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action={before ? "Save" : "Connect"} onCancel={onClose} pinsButtons>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          form={form}
          name="provider"
          label="Provider"
          help="Ollama, vLLM, Docker Model Runner and most model gateways are OpenAI-compatible."
        >
          {(field) => (
            <Select
              {...field}
              onChange={(next) => {
                form.setValue("name", withProvider(form.getValues(), next).name);
                field.onChange(next);
              }}
              options={OPTIONS}
            />
          )}
        </FormField>
        <FormField
          form={form}
          name="name"
          label="Name"
          help={before && before.name !== name ? `Judges that use the old name ${before.name}/… will fail.` : undefined}
        >
          {(field) => <Input {...field} mono maxLength={80} autoComplete="off" />}
        </FormField>
      </div>
      <FormField
        form={form}
        name="baseUrl"
        label="Address"
        aside={isOwnAddress ? undefined : "optional"}
        help={
          isOwnAddress
            ? "The address must include /v1. The server's operator must allow private addresses, including the server's own."
            : "Enter an address only if you use a model gateway. If this field is empty, judges use the provider's address."
        }
      >
        {(field) => (
          <Input
            {...field}
            mono
            autoComplete="off"
            inputMode="url"
            placeholder={DEFAULT_BASE_URLS[provider] || "http://127.0.0.1:11434/v1"}
          />
        )}
      </FormField>
      <KeyField before={before} form={form} />
      <PricesField form={form} />
      <CapFields form={form} />
      {provider === EVALUATOR_PROVIDER ? null : (
        <FormField
          form={form}
          name="fallback"
          label="Fallback model"
          aside="optional"
          help="A model of another connection. Judges use it when this model fails, is too slow or is over its limit."
        >
          {(field) => <Input {...field} mono autoComplete="off" placeholder="backup/gpt-4o-mini" />}
        </FormField>
      )}
    </Form>
  );
}

type ConnectionFormState = UseFormReturn<ConnectionDraft, unknown, SaveConnection>;

/** The limits of a day, for all judges of the connection together. */
function CapFields({ form }: { form: ConnectionFormState }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField
        form={form}
        name="callsPerDay"
        label="Calls a day"
        aside="optional"
        help="Daily limit for all judges on this connection. Above the limit, judges fail, and the calls that they gate are denied until midnight UTC."
      >
        {(field) => <Input {...field} inputMode="numeric" placeholder="no limit" />}
      </FormField>
      <FormField
        form={form}
        name="nanoPerDay"
        label="Dollars a day"
        aside="optional"
        help="Every model needs a price. Judges whose model has no price are not called."
      >
        {(field) => <Input {...field} inputMode="decimal" placeholder="no limit" />}
      </FormField>
    </div>
  );
}

interface KeyFieldProps {
  before: ConnectionView | null;
  form: ConnectionFormState;
}

/** The field for the key. A stored key is never shown again. */
function KeyField({ before, form }: KeyFieldProps) {
  const stored = before?.credential ?? null;
  const [provider, isForgotten] = useWatch({ control: form.control, name: ["provider", "forgetsCredential"] });
  const isNeeded = provider !== "openai-compatible";
  return (
    <div className="flex flex-col gap-2">
      <FormField
        form={form}
        name="credential"
        label="Key"
        aside={stored || isNeeded ? undefined : "optional"}
        help={
          stored ? (
            <>
              The stored key{" "}
              {stored.lastFour === null ? null : (
                <>
                  {" "}
                  ends in <code>{stored.lastFour}</code> and{" "}
                </>
              )}{" "}
              was set <RelativeTime at={stored.setAt} />. Leave empty to keep it.
            </>
          ) : (
            "The API key is stored encrypted, sent only to the address of this connection, and never shown again."
          )
        }
      >
        {(field) => (
          <Input
            {...field}
            mono
            type="password"
            autoComplete="new-password"
            disabled={isForgotten}
            placeholder={stored ? "unchanged" : ""}
          />
        )}
      </FormField>
      {stored ? (
        <FormCheckbox
          form={form}
          name="forgetsCredential"
          label="Erase the stored API key"
          onToggle={(isOn) => (isOn ? form.setValue("credential", "") : undefined)}
        />
      ) : null}
    </div>
  );
}
