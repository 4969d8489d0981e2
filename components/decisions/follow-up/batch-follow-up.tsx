"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { keywordForm } from "@/components/decisions/follow-up/keywords";
import { usePeople } from "@/components/decisions/follow-up/use-people";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { CallView } from "@/server/decisions/schema";
import { CALLS_MAX, KEYWORD_CHARS_MAX } from "@/server/follow-ups/schema";
import type { EventKey } from "@/server/recording/event-key-schema";

interface BatchFollowUpProps {
  selected: readonly CallView[];
  onDone: () => void;
}

/** The buttons that assign the selected calls and add a keyword to them. A call that waits has no record to follow up. */
export function BatchFollowUp({ selected, onDone }: BatchFollowUpProps) {
  // As they were when the dialog was opened: the list behind it changes.
  const [asked, setAsked] = useState<{ act: "assign" | "keyword"; calls: readonly EventKey[] } | null>(null);
  const calls = selected.filter(({ isRecorded }) => isRecorded).map(({ occurredAt, id }) => ({ occurredAt, id }));
  const isTooMany = calls.length > CALLS_MAX;
  const close = (isDone: boolean) => {
    setAsked(null);
    if (isDone) onDone();
  };
  return (
    <>
      {(["assign", "keyword"] as const).map((act) => (
        <PermittedButton
          key={act}
          to="call:follow-up"
          size="sm"
          disabled={calls.length === 0 || isTooMany}
          onClick={() => setAsked({ act, calls })}
        >
          {act === "assign" ? "Assign…" : "Add keyword…"}
        </PermittedButton>
      ))}
      {isTooMany ? <span className="text-muted">Assign at most {CALLS_MAX} calls at once.</span> : null}
      {asked?.act === "assign" ? <AssignDialog calls={asked.calls} onClose={close} /> : null}
      {asked?.act === "keyword" ? <KeywordDialog calls={asked.calls} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  /** 1 to `CALLS_MAX`. */
  calls: readonly EventKey[];
  onClose: (isDone: boolean) => void;
}

const UNASSIGNED = "none";
const assigneeForm = z.object({ person: z.string().min(1, "Choose a person.") });

/** Assigns the selected calls to one person. */
function AssignDialog({ calls, onClose }: DialogProps) {
  const trpc = useTRPC();
  const people = usePeople(true);
  const many = plural(calls.length, "call");
  const form = useForm(assigneeForm, { person: "" });
  const assign = useMutation(
    trpc.followUps.assign.mutationOptions({
      onSuccess: (_done, { assigneeId }) => {
        toast.success(assigneeId === null ? `Assignee of ${many} removed` : `${many} assigned`);
        onClose(true);
      },
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={() => onClose(false)}
      title={`Assign ${many}`}
      description="The assignee gets a notification."
    >
      <Form
        form={form}
        action={`Assign ${many}`}
        onCancel={() => onClose(false)}
        onSubmit={({ person }) =>
          assign.mutateAsync({ calls: [...calls], assigneeId: person === UNASSIGNED ? null : person })
        }
      >
        <FormField form={form} name="person" label="Person">
          {({ ref: _ref, ...field }) => (
            <Select
              {...field}
              options={[
                ...people.map(({ id, name }) => ({ value: id, label: name })),
                { value: UNASSIGNED, label: "Unassigned" },
              ]}
            />
          )}
        </FormField>
      </Form>
    </Dialog>
  );
}

/** Adds a keyword to the selected calls. */
function KeywordDialog({ calls, onClose }: DialogProps) {
  const trpc = useTRPC();
  const many = plural(calls.length, "call");
  const form = useForm(keywordForm, { name: "" });
  const set = useMutation(
    trpc.followUps.setKeyword.mutationOptions({
      onSuccess: (_done, { name }) => {
        toast.success(`Keyword ${name} added to ${many}`);
        onClose(true);
      },
    }),
  );
  return (
    <Dialog open onOpenChange={() => onClose(false)} title={`Add a keyword to ${many}`}>
      <Form
        form={form}
        action="Add the keyword"
        onCancel={() => onClose(false)}
        onSubmit={({ name }) => set.mutateAsync({ calls: [...calls], name, isSet: true })}
      >
        <FormField form={form} name="name" label="Keyword" help="One word, such as false-positive.">
          {(field) => <Input {...field} autoFocus maxLength={KEYWORD_CHARS_MAX} />}
        </FormField>
      </Form>
    </Dialog>
  );
}
