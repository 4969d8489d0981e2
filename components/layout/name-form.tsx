"use client";

import type { ReactNode } from "react";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";

export interface NameFormProps {
  help?: string;
  mono?: boolean;
  charsMax?: number;
  /** The name that it has. */
  initial?: string;
  /** On the button: "Create agent". */
  action: string;
  /** The validation error of a name, before it is sent; null when it is valid. */
  wrongWith: (name: string) => string | null;
  /** The server's refusal: shown at the field when the name is taken, otherwise below the form. */
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
  const read = ({ name }: { name: string }) => {
    const found = wrongWith(name);
    return found === null ? { input: name } : { wrongs: { name: found } };
  };
  const form = useForm(readBy(read), { name: initial });
  const isTaken = appCodeOf(error) === "name_taken";
  return (
    <Form
      form={form}
      className="pb-3"
      onSubmit={onSubmit}
      foot={
        <>
          {error && !isTaken ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={onCancel}>Cancel</Button>
            <Button type="submit" variant="primary" busy={busy}>
              {action}
            </Button>
          </div>
        </>
      }
    >
      <FormField form={form} name="name" label="Name" help={help} error={isTaken ? failureSentence(error) : undefined}>
        {(field) => <Input {...field} mono={mono} maxLength={charsMax} autoComplete="off" />}
      </FormField>
      {children}
    </Form>
  );
}
