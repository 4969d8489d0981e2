"use client";

import { textOfBytes } from "@quarterdeck/hooks/contract/text/utf8";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { counted } from "@/components/policies/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { createPolicy, IMPORT_BYTES_MAX, IMPORT_TOO_LARGE, type ImportedView } from "@/server/policies/schema";

export interface ImportDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Takes the text instead of making a policy of it. */
  onTake?: (source: string) => void;
}

/** Brings a policy along: an agent file, settings, a hooks block or a bundle. Shows what was taken before anything is made. */
export function ImportDialog({ open, onOpenChange, onTake }: ImportDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={onTake ? "Import into this draft" : "Import a policy"}
      description="An agent file of docker-agent, its settings, a hooks block or a Quarterdeck bundle. It becomes a draft."
    >
      {open ? <Form onClose={() => onOpenChange(false)} {...(onTake ? { onTake } : {})} /> : null}
    </Dialog>
  );
}

const ALL_AGENTS = "(all)";

function Form({ onClose, onTake }: { onClose: () => void; onTake?: (source: string) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const [file, setFile] = useState("");
  const [name, setName] = useState("");
  const [agent, setAgent] = useState(ALL_AGENTS);
  const [wrong, setWrong] = useState<string | null>(null);
  const [found, setFound] = useState<ImportedView | null>(null);
  const reading = useMutation(trpc.policies.readImport.mutationOptions());
  const create = useMutation(trpc.policies.create.mutationOptions());

  const read = (source: string, only = ALL_AGENTS) => {
    setAgent(only);
    setWrong(source.length > IMPORT_BYTES_MAX ? IMPORT_TOO_LARGE : null);
    if (source.length > IMPORT_BYTES_MAX) return;
    reading.mutate(
      { source, ...(only === ALL_AGENTS ? {} : { agent: only }) },
      {
        onSuccess: (view) => {
          setFound(view);
          if (view.name !== null) setName((before) => before || (view.name ?? ""));
        },
        onError: () => (only === ALL_AGENTS ? setFound(null) : undefined),
      },
    );
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFound(null);
    if (chosen.size > IMPORT_BYTES_MAX) return setWrong(IMPORT_TOO_LARGE);
    const decoded = textOfBytes(new Uint8Array(await chosen.arrayBuffer()));
    if (!decoded.ok) return setWrong(decoded.says);
    const text = decoded.text.replace(/^\ufeff/, "");
    setFile(text);
    setName(
      (before) =>
        before ||
        chosen.name
          .replace(/\.[^.]*$/, "")
          .replace(/[^\p{L}\p{N} ._-]/gu, " ")
          .trim(),
    );
    read(text);
  };
  const submit = () => {
    if (found === null) return read(file);
    if (onTake) {
      onTake(found.source);
      return onClose();
    }
    const parsed = createPolicy.safeParse({ name, source: found.source });
    setWrong(parsed.success ? null : (parsed.error.issues[0]?.message ?? "This name cannot be used."));
    if (!parsed.success) return;
    create.mutate(parsed.data, {
      onSuccess: async ({ policyId }) => {
        await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
        router.push(`/policies/${policyId}`);
      },
    });
  };
  const failure = reading.error ?? create.error;
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="File"
        help="YAML, or JSON for a bundle; at most 1 MiB. It is read here and nothing is in force by it."
      >
        <Input
          type="file"
          accept=".yaml,.yml,.json,.txt"
          className="h-auto py-1"
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      </Field>
      <Field label="Or its text">
        <Textarea
          mono
          rows={6}
          value={file}
          spellCheck={false}
          onChange={({ target }) => {
            setFile(target.value);
            setFound(null);
            reading.reset();
          }}
        />
      </Field>
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
      {wrong !== null && found === null ? <ErrorLine>{wrong}</ErrorLine> : null}
      {found ? (
        <>
          {found.agents.length > 1 ? (
            <Field label="Agent" help="The hooks of one agent, or of all one after the other.">
              <Select
                value={agent}
                onChange={(only) => read(file, only)}
                options={[
                  { value: ALL_AGENTS, label: "all agents" },
                  ...found.agents.map((one) => ({ value: one, label: one })),
                ]}
              />
            </Field>
          ) : null}
          <section
            aria-label="What was found"
            className="flex flex-col gap-1 rounded-md border border-line bg-sunken p-3"
          >
            <p className="font-medium">{summary(found)}</p>
            <ul className="flex list-disc flex-col gap-1 pl-4 text-muted text-sm">
              {found.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
          {onTake ? null : (
            <Field label="Name" error={wrong ?? undefined}>
              <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
            </Field>
          )}
        </>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={file.trim() === ""}
          busy={reading.isPending || create.isPending || create.isSuccess}
        >
          {found === null ? "Read" : onTake ? "Replace the text" : "Create draft"}
        </Button>
      </div>
    </form>
  );
}

function summary({ check }: ImportedView): string {
  if (check.problems.length > 0)
    return `${counted(check.problems.length, "problem")} to solve in the editor before it can be published.`;
  const hooks = check.events.reduce((sum, one) => sum + one.hooks, 0);
  return `${counted(hooks, "hook")} on ${counted(check.events.length, "event")}. It can be published as it is.`;
}
