"use client";

import { useState } from "react";
import type { Addition, Guard } from "@/components/policies/form/guards";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export interface GuardDialogProps {
  guard: Guard | null;
  onClose: () => void;
  /** Answers why it cannot be added, or null. */
  onAdd: (additions: readonly Addition[]) => string | null;
}

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
  const [answers, setAnswers] = useState(() =>
    Object.fromEntries(guard.asks.map(({ key, initial }) => [key, initial])),
  );
  const [isAsked, setAsked] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const wrong = (key: string) => guard.asks.find((one) => one.key === key)?.wrong?.(answers[key] ?? "") ?? null;
  const add = () => {
    setAsked(true);
    if (guard.asks.some(({ key }) => wrong(key) !== null)) return;
    const why = onAdd(guard.make(answers));
    setRefusal(why);
    if (why === null) onClose();
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      {guard.asks.map(({ key, label, help }) => (
        <Field key={key} label={label} help={help} error={isAsked ? (wrong(key) ?? undefined) : undefined}>
          <Input
            autoComplete="off"
            spellCheck={false}
            mono={key !== "reason"}
            value={answers[key] ?? ""}
            onChange={({ target }) => setAnswers((before) => ({ ...before, [key]: target.value }))}
          />
        </Field>
      ))}
      {refusal === null ? null : <ErrorLine>{refusal}</ErrorLine>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary">
          Add guard
        </Button>
      </div>
    </form>
  );
}
