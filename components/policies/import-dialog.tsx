"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import { ImportClientForm } from "@/components/policies/import-client-form";
import { policyNameOf, readChosenFile } from "@/components/policies/import-file";
import { importSummary } from "@/components/policies/import-summary";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { IMPORTED_CLIENT_NAMES, IMPORTED_CLIENTS, type ImportedClient } from "@/server/dialects/import-schema";
import { createPolicy, IMPORT_BYTES_MAX, IMPORT_TOO_LARGE, type ImportedView } from "@/server/policies/schema";

export interface ImportDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Takes the text instead of making a policy of it. */
  onTake?: (source: string) => void;
}

/**
 * Imports a policy from docker-agent, a bundle, or another client's own file. Shows the imported parts before it
 * creates anything.
 */
export function ImportDialog({ open, onOpenChange, onTake }: ImportDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={onTake ? "Replace this draft with an import" : "Import a policy"}
      description={
        onTake
          ? "The imported file replaces the text of this draft."
          : "Import an agent file, a Quarterdeck bundle, or settings of another client as a draft."
      }
      size="lg"
    >
      {open ? <ImportForms onClose={() => onOpenChange(false)} {...(onTake ? { onTake } : {})} /> : null}
    </Dialog>
  );
}

const NATIVE = "native";
type ImportSource = typeof NATIVE | ImportedClient;
const SOURCES: readonly { value: ImportSource; label: string }[] = [
  { value: NATIVE, label: "docker-agent or a bundle" },
  ...IMPORTED_CLIENT_NAMES.map((value) => ({ value, label: IMPORTED_CLIENTS[value].title })),
];

function ImportForms({ onClose, onTake }: { onClose: () => void; onTake?: (source: string) => void }) {
  const [from, setFrom] = useState<ImportSource>(NATIVE);
  const take = onTake ? { onTake } : {};
  return (
    <div className="flex flex-col gap-4">
      <Field label="From">
        <Select value={from} onChange={setFrom} options={SOURCES} />
      </Field>
      {from === NATIVE ? (
        <ImportForm onClose={onClose} {...take} />
      ) : (
        <ImportClientForm key={from} client={from} onClose={onClose} {...take} />
      )}
    </div>
  );
}

const ALL_AGENTS = "(all)";

const importForm = z.object({
  file: z.string().refine((text) => text.trim() !== "", "Choose a file or paste its text."),
  name: z.string(),
});
type ImportValues = z.infer<typeof importForm>;

function ImportForm({ onClose, onTake }: { onClose: () => void; onTake?: (source: string) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useForm(importForm, { file: "", name: "" });
  const { agent, found, reading, read, choose, forget } = useImportedText(form);
  const create = useMutation(trpc.policies.create.mutationOptions());

  const submit = async ({ file, name }: ImportValues) => {
    if (found === null) return read(file);
    if (onTake) {
      onTake(found.source);
      return onClose();
    }
    const parsed = createPolicy.safeParse({ name, source: found.source });
    if (!parsed.success) return form.setError("name", { message: parsed.error.issues[0]?.message ?? "Invalid name." });
    const { policyId } = await create.mutateAsync(parsed.data);
    await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
    router.push(`/policies/${policyId}`);
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      onCancel={onClose}
      action={found === null ? "Preview" : onTake ? "Replace text" : "Create draft"}
      disabled={reading.isPending || create.isSuccess}
    >
      <Field
        label="File"
        help="YAML, or JSON for a bundle. At most 1 MiB. An imported policy takes effect only when you publish it."
      >
        <Input
          type="file"
          accept=".yaml,.yml,.json,.txt"
          className="h-auto py-1"
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      </Field>
      <FormField form={form} name="file" label="Or paste it">
        {(field) => (
          <Textarea
            mono
            rows={6}
            spellCheck={false}
            {...field}
            onChange={(event) => {
              field.onChange(event);
              forget();
            }}
          />
        )}
      </FormField>
      {reading.error ? <ErrorLine>{failureSentence(reading.error)}</ErrorLine> : null}
      {found ? (
        <>
          <Found found={found} agent={agent} onAgent={(only) => void read(form.getValues("file"), only)} />
          {onTake ? null : (
            <FormField form={form} name="name" label="Name">
              {(field) => <Input maxLength={80} autoComplete="off" {...field} />}
            </FormField>
          )}
        </>
      ) : null}
    </Form>
  );
}

/** Reads a chosen file or a pasted text on the server, and suggests a name for the policy. */
function useImportedText(form: UseFormReturn<ImportValues, unknown, ImportValues>) {
  const trpc = useTRPC();
  const [agent, setAgent] = useState(ALL_AGENTS);
  const [found, setFound] = useState<ImportedView | null>(null);
  const reading = useMutation(trpc.policies.readImport.mutationOptions());

  const refuse = (message: string) => form.setError("file", { message });
  const suggest = (name: string) => {
    if (form.getValues("name") === "") form.setValue("name", name);
  };
  const read = async (source: string, only = ALL_AGENTS) => {
    setAgent(only);
    if (source.length > IMPORT_BYTES_MAX) return refuse(IMPORT_TOO_LARGE);
    await reading
      .mutateAsync({ source, ...(only === ALL_AGENTS ? {} : { agent: only }) })
      .then((view) => {
        setFound(view);
        suggest(view.name ?? "");
      })
      // The failure is shown by the mutation's own state.
      .catch(() => (only === ALL_AGENTS ? setFound(null) : undefined));
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFound(null);
    const taken = await readChosenFile(chosen);
    if ("refusal" in taken) return refuse(taken.refusal);
    form.clearErrors();
    form.setValue("file", taken.text);
    suggest(policyNameOf(chosen));
    await read(taken.text);
  };
  const forget = () => {
    setFound(null);
    reading.reset();
  };
  return { agent, found, reading, read, choose, forget };
}

interface FoundProps {
  found: ImportedView;
  agent: string;
  onAgent: (agent: string) => void;
}

function Found({ found, agent, onAgent }: FoundProps) {
  return (
    <>
      {found.agents.length > 1 ? (
        <Field label="Agent" help="Import the hooks of one agent, or the hooks of all agents in the file's order.">
          <Select
            value={agent}
            onChange={onAgent}
            options={[
              { value: ALL_AGENTS, label: "all agents" },
              ...found.agents.map((one) => ({ value: one, label: one })),
            ]}
          />
        </Field>
      ) : null}
      <section aria-label="Result" className="flex flex-col gap-1 rounded-md border border-line bg-sunken p-3">
        <p className="font-medium">{importSummary(found.check)}</p>
        <ul className="flex list-disc flex-col gap-1 pl-4 text-muted text-sm">
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
