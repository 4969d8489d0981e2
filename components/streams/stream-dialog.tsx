"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import {
  ADDRESS_EXAMPLES,
  AGENT_MODE_LABELS,
  FILE_TYPE_LABELS,
  FORMAT_LABELS,
  MASKING_LABELS,
  RECEIVER_LABELS,
  SECRET_WORDS,
} from "@/components/streams/labels";
import { draftOf, readDraft, type StreamDraft } from "@/components/streams/stream-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormChecks, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import {
  AGENT_MODES,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  FILE_TYPES,
  MASKING_LEVELS,
  RECEIVER_KINDS,
  type SaveStream,
  STREAM_FORMATS,
  type StreamView,
} from "@/server/streams/schema";

export interface StreamDialogProps {
  editing: StreamView | "new" | null;
  onClose: () => void;
}

/** A stream, new or changed: where it goes, which events, and what they contain. */
export function StreamDialog({ editing, onClose }: StreamDialogProps) {
  const before = editing === "new" ? null : editing;
  return (
    <Dialog
      open={editing !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={before ? `Edit ${before.name}` : "New stream"}
      description="Events leave in the order of the record. Each arrives at least once, with an id that repeats."
    >
      {editing === null ? null : <StreamForm key={before?.id ?? "new"} before={before} onClose={onClose} />}
    </Dialog>
  );
}

type StreamFormState = UseFormReturn<StreamDraft, unknown, SaveStream>;

function optionsOf<Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) {
  return values.map((value) => ({ value, label: labels[value] }));
}

function StreamForm({ before, onClose }: { before: StreamView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(
    readBy((draft: StreamDraft) => readDraft(draft, before)),
    draftOf(before),
  );
  const save = useMutation(trpc.streams.save.mutationOptions());
  const submit = async (values: SaveStream) => {
    await save.mutateAsync(values);
    toast.success(`${values.name} saved`);
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Save stream" onCancel={onClose} pinsButtons>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="name" label="Name">
          {(field) => <Input {...field} maxLength={80} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="kind" label="Receiver">
          {(field) => <Select {...field} options={optionsOf(RECEIVER_KINDS, RECEIVER_LABELS)} />}
        </FormField>
      </div>
      <ReceiverFields form={form} before={before} />
      <EventFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="batchMax" label="Events a request" help="Fewer are sent while few are recorded.">
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
        </FormField>
        <FormField form={form} name="rateMax" label="Events a second" help="Limit while the stream catches up.">
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
        </FormField>
      </div>
      {before === null ? (
        <FormField form={form} name="from" label="Begin">
          {(field) => (
            <Select
              {...field}
              options={[
                { value: "now", label: "With the next event" },
                { value: "start", label: "With the first event of the record" },
              ]}
            />
          )}
        </FormField>
      ) : null}
      <FormCheckbox
        form={form}
        name="isEnabled"
        label="On"
        help="If off, the stream keeps its place and sends nothing."
      />
    </Form>
  );
}

/** The address, and the settings of the chosen kind of receiver. */
function ReceiverFields({ form, before }: { form: StreamFormState; before: StreamView | null }) {
  const kind = useWatch({ control: form.control, name: "kind" });
  const { label, help } = SECRET_WORDS[kind];
  const text = (name: "index" | "bucket" | "region" | "prefix" | "accessKeyId", title: string, aside?: string) => (
    <FormField form={form} name={name} label={title} aside={aside}>
      {(field) => <Input {...field} mono autoComplete="off" />}
    </FormField>
  );
  return (
    <>
      <FormField
        form={form}
        name="address"
        label={kind === "syslog" ? "Host and port" : "Address"}
        help="The server's operator must allow private addresses."
      >
        {(field) => <Input {...field} mono autoComplete="off" inputMode="url" placeholder={ADDRESS_EXAMPLES[kind]} />}
      </FormField>
      {kind === "splunk" ? text("index", "Index", "optional") : null}
      {kind === "elastic" ? text("index", "Data stream or index") : null}
      {kind === "s3" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {text("bucket", "Bucket")}
          {text("region", "Region")}
          {text("prefix", "Folder", "optional")}
          <FormField form={form} name="fileType" label="Files">
            {(field) => <Select {...field} options={optionsOf(FILE_TYPES, FILE_TYPE_LABELS)} />}
          </FormField>
          {text("accessKeyId", "Access key id")}
        </div>
      ) : null}
      <FormField
        form={form}
        name="secret"
        label={label}
        help={before?.hasSecret ? `${help} Leave it empty to keep the stored one.` : help}
      >
        {(field) =>
          kind === "syslog" ? (
            <Textarea {...field} rows={3} className="font-mono" />
          ) : (
            <Input {...field} type="password" autoComplete="new-password" />
          )
        }
      </FormField>
      {before?.hasSecret ? <FormCheckbox form={form} name="forgetsSecret" label="Remove the stored secret" /> : null}
      <FormField
        form={form}
        name="ca"
        label="Certificate authority"
        aside="optional"
        help="In PEM, where the receiver's certificate is signed by your own authority."
      >
        {(field) => <Textarea {...field} rows={2} className="font-mono" />}
      </FormField>
    </>
  );
}

/** The format, the filter and the level of masking. */
function EventFields({ form }: { form: StreamFormState }) {
  const trpc = useTRPC();
  const mode = useWatch({ control: form.control, name: "agentsMode" });
  const agents = useQuery({ ...trpc.agents.names.queryOptions(), enabled: mode !== "all" });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="format" label="Format">
          {(field) => <Select {...field} options={optionsOf(STREAM_FORMATS, FORMAT_LABELS)} />}
        </FormField>
        <FormField form={form} name="masking" label="Contents" help="Texts are inputs, reasons and notes.">
          {(field) => <Select {...field} options={optionsOf(MASKING_LEVELS, MASKING_LABELS)} />}
        </FormField>
      </div>
      <FormChecks
        form={form}
        name="kinds"
        legend="Events"
        options={EVENT_KIND_NAMES.map((value) => ({ value, label: EVENT_KINDS[value] }))}
      />
      <FormField
        form={form}
        name="agentsMode"
        label="Agents"
        help="Limits the events of agents. Administrative changes are always sent."
      >
        {(field) => <Select {...field} options={optionsOf(AGENT_MODES, AGENT_MODE_LABELS)} />}
      </FormField>
      {mode === "all" || !agents.data ? null : (
        <FormChecks
          form={form}
          name="agents"
          legend="Chosen agents"
          options={agents.data.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </>
  );
}
