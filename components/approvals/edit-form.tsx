"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";

export interface EditFormProps {
  /** JSON text of an object. */
  input: string;
  busy: boolean;
  onCancel: () => void;
  onAllow: (editedInput: string) => void;
}

/** The call's arguments to change, with what changes; policies judge them again. */
export function EditForm({ input, busy, onCancel, onAllow }: EditFormProps) {
  const before = JSON.stringify(JSON.parse(input), null, 2);
  const [text, setText] = useState(before);
  const wrong = problemOf(text, before);
  const [isTried, setTried] = useState(false);
  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) onAllow(text);
        else setTried(true);
      }}
    >
      <Field
        label="Run with this input instead"
        help="Every policy judges it again before it runs."
        {...(isTried && wrong !== null ? { error: wrong } : {})}
      >
        <Textarea
          autoFocus
          className="font-mono text-sm"
          rows={Math.min(12, text.split("\n").length + 1)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {wrong === null ? (
        <DiffBlock
          before={before}
          after={JSON.stringify(JSON.parse(text), null, 2)}
          label="Your change"
          maxHeight={240}
        />
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          Allow edited, it runs at once
        </Button>
        <Button onClick={onCancel}>Back</Button>
      </div>
    </form>
  );
}

function problemOf(text: string, before: string): string | null {
  if (text === before) return "Nothing is changed yet.";
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? null : "A tool's input is a JSON object.";
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
