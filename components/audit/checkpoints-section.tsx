"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { CopyButton } from "@/components/ui/copy-button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { said, textOrNull, wholeFrom } from "@/components/ui/form-texts";
import { formatCount, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { KeyValue } from "@/components/ui/key-value";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { type CheckpointResult, type RecordState, setCheckpoints } from "@/server/record/schema";

/** The checkpoints that vouch for the record from outside the database. */
export function CheckpointsSection({ state }: { state: RecordState }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refetch = () => void queries.invalidateQueries(trpc.audit.pathFilter());
  const sign = useMutation(
    trpc.audit.checkpointNow.mutationOptions({
      onSuccess: (result) => {
        reportCheckpoint(result);
        refetch();
      },
      onError: (error) => toast.error("Couldn't sign a checkpoint", { description: failureSentence(error) }),
    }),
  );
  const { lastCheckpoint: last, fault, file, keys, unvouched } = state;
  return (
    <Section
      title="Checkpoints"
      aside={plural(state.entries, "entry", "entries")}
      actions={
        <PermittedButton to="record:manage" busy={sign.isPending} onClick={() => sign.mutate()}>
          Sign one now
        </PermittedButton>
      }
      framed
    >
      <div className="flex flex-col gap-5">
        {fault === null ? null : <Notice kind="danger">No checkpoint is signed any more. {fault}</Notice>}
        <KeyValue
          items={[
            {
              label: "Last checkpoint",
              value: last ? (
                <>
                  entry {last.seq}, <RelativeTime at={new Date(last.at)} />
                </>
              ) : (
                <Missing reason="No checkpoint yet. The server signs the first checkpoint within minutes of the first entry." />
              ),
            },
            { label: "Not yet signed", value: plural(unvouched, "entry", "entries") },
            { label: "Webhook", value: last?.webhook ? webhookSentence(last.webhook) : "none is set" },
            {
              label: "File",
              value:
                file === null ? (
                  <Loading label="the file">
                    <Skeleton className="h-3 w-40" />
                  </Loading>
                ) : (
                  <>
                    <code>{file.slice(file.lastIndexOf("/") + 1)}</code> on this server
                  </>
                ),
            },
            {
              label: "Public keys",
              value:
                keys.length === 0 ? (
                  <Missing reason="No checkpoint has been signed yet." />
                ) : (
                  <span className="flex flex-col gap-1">
                    {keys.map((key) => (
                      <span key={key.id} className="flex items-center gap-2">
                        <code>{key.id}</code>
                        <span className="text-faint">
                          since <RelativeTime at={key.since} />
                        </span>
                        <CopyButton text={key.publicKey} label={`Copy the public key ${key.id}`} size="sm" />
                      </span>
                    ))}
                  </span>
                ),
            },
          ]}
        />
        <CheckpointsForm key={JSON.stringify(state.checkpoints)} of={state.checkpoints} onSaved={refetch} />
      </div>
    </Section>
  );
}

/** The server also signs on its own, and another server may be signing: the answer is the state after the attempt. */
function reportCheckpoint({ seq, unvouched, fault }: CheckpointResult): void {
  if (fault !== null) toast.error("Couldn't sign a checkpoint", { description: fault });
  else if (seq === null)
    toast.info("No checkpoint is signed yet", { description: "Wait a few seconds, then sign a checkpoint again." });
  else if (unvouched === 0) toast.success("Signed checkpoints cover every entry");
  else
    toast.success(`Signed checkpoints cover the entries up to ${formatCount(seq)}`, {
      description: `${plural(unvouched, "later entry", "later entries")} not signed yet.`,
    });
}

function webhookSentence({
  delivered,
  attempts,
  error,
}: {
  delivered: boolean;
  attempts: number;
  error: string | null;
}) {
  if (delivered) return "the last one arrived";
  if (error === null) return "the last one is under way";
  return (
    <span className="text-deny">
      {plural(attempts, "attempt")} failed. {error}
    </span>
  );
}

const checkpointsForm = z
  .object({
    entries: said(wholeFrom(1, 1_000_000), "Enter a whole number up to 1,000,000."),
    seconds: said(wholeFrom(1, 86_400), "Enter a whole number up to 86,400."),
    webhookUrl: textOrNull,
  })
  .pipe(setCheckpoints);

function CheckpointsForm({ of, onSaved }: { of: RecordState["checkpoints"]; onSaved: () => void }) {
  const trpc = useTRPC();
  const before = { entries: String(of.entries), seconds: String(of.seconds), webhookUrl: of.webhookUrl ?? "" };
  const form = useForm(checkpointsForm, before, "onChange");
  const save = useMutation(
    trpc.audit.setCheckpoints.mutationOptions({
      onSuccess: () => {
        toast.success("Saved");
        onSaved();
      },
    }),
  );
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      className="border-line border-t pt-4"
      onSubmit={(values) => save.mutateAsync(values)}
      foot={
        <PermittedButton to="record:manage" type="submit" className="w-fit" busy={isSubmitting} disabled={!isDirty}>
          Save checkpoints
        </PermittedButton>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="entries" label="Entries between checkpoints">
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
        <FormField form={form} name="seconds" label="Seconds between checkpoints">
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
      </div>
      <FormField
        form={form}
        name="webhookUrl"
        label="Webhook"
        aside="optional"
        help="The server also sends each checkpoint to this address, as a copy outside the server."
      >
        {(field) => <Input {...field} inputMode="url" placeholder="https://siem.example/checkpoints" />}
      </FormField>
    </Form>
  );
}
