"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { policyNameOf, readChosenFile } from "@/components/policies/import-file";
import { importSummary } from "@/components/policies/import-summary";
import { counted } from "@/components/policies/labels";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { IMPORTED_CLIENTS, type ImportedClient } from "@/server/dialects/import-schema";
import { createPolicy, IMPORT_BYTES_MAX, IMPORT_TOO_LARGE, type ImportedClientView } from "@/server/policies/schema";

export interface ImportClientFormProps {
  client: ImportedClient;
  onClose: () => void;
  /** Takes the text instead of making a policy of it. */
  onTake?: (source: string) => void;
}

const clientForm = z.object({
  file: z.string().refine((text) => text.trim() !== "", "Choose a file or paste its text."),
  name: z.string(),
});

/**
 * A client's own hooks and permission rules as a policy: the text, with the imported and the omitted parts, before a
 * draft is created.
 */
export function ImportClientForm({ client, onClose, onTake }: ImportClientFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useForm(clientForm, { file: "", name: `${IMPORTED_CLIENTS[client].title} rules` });
  const [found, setFound] = useState<ImportedClientView | null>(null);
  const reading = useMutation(trpc.policies.readClientImport.mutationOptions());
  const create = useMutation(trpc.policies.create.mutationOptions());

  const refuse = (message: string) => form.setError("file", { message });
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFound(null);
    const read = await readChosenFile(chosen);
    if ("refusal" in read) return refuse(read.refusal);
    form.clearErrors();
    form.setValue("file", read.text);
    if (!form.getFieldState("name").isDirty) form.setValue("name", policyNameOf(chosen));
  };
  const submit = async ({ file, name }: z.infer<typeof clientForm>) => {
    if (found === null) {
      if (file.length > IMPORT_BYTES_MAX) return refuse(IMPORT_TOO_LARGE);
      return setFound(await reading.mutateAsync({ client, source: file }));
    }
    if (onTake) {
      onTake(found.policyYaml);
      return onClose();
    }
    const parsed = createPolicy.safeParse({ name, source: found.policyYaml });
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
      <Field label="File" help={`${IMPORTED_CLIENTS[client].files}. At most 1 MiB. The file is not executed.`}>
        <Input
          type="file"
          accept=".json,.jsonc,.toml,.txt"
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
              setFound(null);
            }}
          />
        )}
      </FormField>
      {found ? <FoundInFile found={found} /> : null}
      {found && !onTake ? (
        <FormField form={form} name="name" label="Name">
          {(field) => <Input maxLength={80} autoComplete="off" {...field} />}
        </FormField>
      ) : null}
    </Form>
  );
}

/** The lines that are not carried come first: they need action. */
function FoundInFile({ found }: { found: ImportedClientView }) {
  const { policyYaml, carried, notCarried, check } = found;
  return (
    <>
      {check.problems.length > 0 ? <ErrorLine>{importSummary(check)}</ErrorLine> : <p>{importSummary(check)}</p>}
      <FileLines
        title={`Not imported: ${counted(notCarried.length, "line")}`}
        lines={notCarried.map(({ line, text, reason }) => ({ line, text, says: reason }))}
      />
      <FileLines
        title={`Carried: ${counted(carried.length, "line")}`}
        lines={carried.map(({ line, text, note }) => ({ line, text, says: note }))}
      />
      <CodeBlock code={policyYaml} language="yaml" label="Policy text" titled maxHeight={240} />
    </>
  );
}

interface FileLinesProps {
  title: string;
  lines: readonly { line: number; text: string; says: string }[];
}

function FileLines({ title, lines }: FileLinesProps) {
  if (lines.length === 0) return <p className="text-muted">{title}</p>;
  return (
    <div className="rounded-md border border-line bg-sunken">
      <p className="border-line border-b px-3 py-2 font-medium">{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="inset-focus max-h-56 overflow-y-auto px-3 py-2">
        <ul className="flex flex-col gap-2">
          {lines.map(({ line, text, says }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may say the same twice, and the list never changes
            <li key={index} className="text-sm">
              <span className="text-muted">Line {line}</span>{" "}
              <code className="font-mono [overflow-wrap:anywhere]">{text}</code>
              <p className="text-muted">{says}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
