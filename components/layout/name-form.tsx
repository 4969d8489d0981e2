"use client";

import { type ReactNode, useState } from "react";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export interface NameFormProps {
  help?: string;
  mono?: boolean;
  charsMax?: number;
  /** The name that it has. */
  initial?: string;
  /** On the button: "Create agent". */
  action: string;
  /** The error in a name before anybody is asked, in words; null when there is none. */
  wrongWith: (name: string) => string | null;
  /** The reason for a refusal: beside the field when the name is taken, below otherwise. */
  error: unknown;
  busy: boolean;
  onSubmit: (name: string) => void;
  onCancel: () => void;
  /** Further fields of the form. */
  children?: ReactNode;
}

/** Names a new thing: the form of every dialog that makes one. */
export function NameForm(props: NameFormProps) {
  const {
    help,
    mono = false,
    charsMax = 80,
    initial = "",
    action,
    wrongWith,
    error,
    busy,
    onSubmit,
    onCancel,
    children,
  } = props;
  const [name, setName] = useState(initial);
  const [wrong, setWrong] = useState<string | null>(null);
  const isTaken = appCodeOf(error) === "name_taken";
  const submit = () => {
    const found = wrongWith(name);
    setWrong(found);
    if (found === null) onSubmit(name);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Name" help={help} error={wrong ?? (isTaken ? failureSentence(error) : undefined)}>
        <Input
          mono={mono}
          autoFocus
          value={name}
          maxLength={charsMax}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {children}
      {error && !isTaken ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
