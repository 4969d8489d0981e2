"use client";

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type AddDraft, ARGUMENTS_EXAMPLE, NEW_CALLS, readAdded } from "@/components/judges/known-calls/add-form";
import { KIND_WORDS } from "@/components/judges/known-calls/labels";
import { eventOption } from "@/components/layout/event-title";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormChecks, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { type AddKnownCalls, KNOWN_KINDS } from "@/server/prompts/known-calls/schema";
import type { PromptDetailView } from "@/server/prompts/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

interface AddCallsDialogProps {
  open: boolean;
  onClose: () => void;
  prompt: PromptDetailView;
  /** Labelled calls without a dispute. */
  labelled: number;
}

/** The dialog that adds known calls: recorded ones, labelled ones, or one by hand. */
export function AddCallsDialog(props: AddCallsDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={(isOpen) => (isOpen ? undefined : props.onClose())}
      size="md"
      title="Add known calls"
      description="Bad calls: the judge must deny or ask. Good calls: the judge must allow. Secrets in the calls are masked."
    >
      {props.open ? <AddForm {...props} /> : null}
    </Dialog>
  );
}

const SOURCES = [
  { value: "recorded", label: "Recorded calls" },
  { value: "labelled", label: "Labelled calls" },
  { value: "hand", label: "Enter one call" },
] as const;
const KINDS = KNOWN_KINDS.map((value) => ({ value, label: `${KIND_WORDS[value].label} calls` }));
const EVENTS: readonly EventName[] = ["pre_tool_use", "tool_guard", "permission_request", "before_agent_run"];

type AddFormOf = UseFormReturn<AddDraft, unknown, AddKnownCalls>;

function AddForm({ onClose, prompt, labelled }: AddCallsDialogProps) {
  const trpc = useTRPC();
  const promptId = prompt.id;
  const form: AddFormOf = useForm(
    readBy((draft: AddDraft) => readAdded(draft, promptId)),
    NEW_CALLS,
  );
  const add = useMutation(trpc.knownCalls.add.mutationOptions());
  const from = useWatch({ control: form.control, name: "from" });
  const submit = async (input: AddKnownCalls) => {
    const { added, skipped } = await add.mutateAsync(input);
    const description =
      skipped === 0 ? undefined : `${plural(skipped, "call")} skipped: known already, deleted, or too long`;
    toast.success(`${plural(added, "known call")} added`, description === undefined ? {} : { description });
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Add calls" onCancel={onClose}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <FormField form={form} name="from" label="Add">
          {(field) => <Select {...field} options={SOURCES} />}
        </FormField>
        {from === "labelled" ? null : (
          <FormField form={form} name="kind" label="As">
            {(field) => <Select {...field} options={KINDS} />}
          </FormField>
        )}
        {from === "labelled" ? null : (
          <FormField form={form} name="event" label="Event">
            {(field) => <Select {...field} options={EVENTS.map(eventOption)} />}
          </FormField>
        )}
        {from === "hand" ? (
          <FormField form={form} name="tool" label="Tool">
            {(field) => <Input {...field} mono autoComplete="off" placeholder="shell" />}
          </FormField>
        ) : null}
      </div>
      {from === "recorded" ? <RecordedFields form={form} promptId={promptId} /> : null}
      {from === "labelled" ? (
        <p className="text-muted text-sm">
          {plural(labelled, "labelled call")} of this judge. Calls that should be allowed are added as good, all others
          as bad. Disputed calls are left out.
        </p>
      ) : null}
      {from === "hand" ? (
        <FormField form={form} name="args" label="Arguments as JSON">
          {(field) => <Textarea {...field} rows={4} placeholder={ARGUMENTS_EXAMPLE} className="font-mono" />}
        </FormField>
      ) : null}
      <FormField form={form} name="note" label="Note" aside="optional">
        {(field) => <Input {...field} autoComplete="off" maxLength={500} />}
      </FormField>
    </Form>
  );
}

const SHOWN = 50;

function RecordedFields({ form, promptId }: { form: AddFormOf; promptId: string }) {
  const trpc = useTRPC();
  const event = useWatch({ control: form.control, name: "event" });
  const filter = { promptId, event, tool: null, agent: null, only: "all" as const, judge: null };
  const recorded = useQuery(trpc.prompts.recorded.queryOptions({ ...filter, limit: SHOWN }));
  if (recorded.error) return <ErrorLine>{failureSentence(recorded.error)}</ErrorLine>;
  if (!recorded.data)
    return (
      <Loading label="recorded calls">
        <SkeletonText lines={4} />
      </Loading>
    );
  if (recorded.data.length === 0)
    return <p className="text-muted text-sm">No matching call was recorded in the last 30 days.</p>;
  return (
    <div className="max-h-64 overflow-y-auto rounded-md border p-3">
      <FormChecks
        form={form}
        name="calls"
        legend={`The newest ${plural(recorded.data.length, "call")}`}
        options={recorded.data.map((call) => ({
          value: eventKeyText(call),
          label: (
            <span className="break-words">{truncateText(`${call.tool ?? call.event}: ${call.excerpt}`, 120)}</span>
          ),
          help: call.agentName,
        }))}
      />
    </div>
  );
}
