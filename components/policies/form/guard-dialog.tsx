"use client";

import { useState } from "react";
import { AskPlaceField } from "@/components/policies/form/ask-place-field";
import type { Addition, Guard } from "@/components/policies/form/guards";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import type { AskPlace } from "@/server/packs/schema";

export interface GuardDialogProps {
  guard: Guard | null;
  onClose: () => void;
  /** Answers why it cannot be added, or null. */
  onAdd: (additions: readonly Addition[], asks: AskPlace) => string | null;
}

type Answers = Readonly<Record<string, string>>;

/** Asks the one or two things a starting point needs to know. */
export function GuardDialog({ guard, onClose, onAdd }: GuardDialogProps) {
  return (
    <Dialog
      open={guard !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="sm"
      title={guard?.label ?? ""}
      description={guard?.says}
    >
      {guard ? <Questions key={guard.id} guard={guard} onClose={onClose} onAdd={onAdd} /> : null}
    </Dialog>
  );
}

function Questions({ guard, onClose, onAdd }: GuardDialogProps & { guard: Guard }) {
  const read = (answers: Answers) => {
    const wrongs = guard.asks.flatMap(({ key, wrong }) => {
      const found = wrong?.(answers[key] ?? "") ?? null;
      return found === null ? [] : [[key, found] as const];
    });
    return wrongs.length === 0 ? { input: answers } : { wrongs: Object.fromEntries(wrongs) };
  };
  const [asks, setAsks] = useState<AskPlace>("terminal");
  const form = useForm(readBy(read), Object.fromEntries(guard.asks.map(({ key, initial }) => [key, initial])));
  const add = (answers: Answers) => {
    const why = onAdd(guard.make(answers), asks);
    if (why !== null) throw new Error(why);
    onClose();
  };
  return (
    <Form form={form} onSubmit={add} action="Add guard" onCancel={onClose}>
      {guard.asks.map(({ key, label, help }) => (
        <FormField key={key} form={form} name={key} label={label} help={help}>
          {(field) => <Input {...field} autoComplete="off" spellCheck={false} mono={key !== "reason"} />}
        </FormField>
      ))}
      {guard.asksPeople ? <AskPlaceField value={asks} onChange={setAsks} /> : null}
    </Form>
  );
}
