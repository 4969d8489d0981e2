"use client";

import { type ComponentProps, useState } from "react";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

export interface TypedTextProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "ref"> {
  value: string;
  /** Called with every change; an emptied field only once it is left, so that retyping keeps the key's place and comment. */
  onText: (text: string) => void;
  onLeft?: (text: string) => void;
  lines?: boolean;
  mono?: boolean;
}

/** A text as it is typed. The parsed value is shown after the field loses focus. */
export function TypedText({ value, onText, onLeft, lines, mono, ...rest }: TypedTextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? value;
  const props = {
    ...rest,
    value: shown,
    autoComplete: "off",
    spellCheck: false,
    ...(mono ? { mono } : {}),
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped(target.value);
      if (target.value !== "") onText(target.value);
    },
    onBlur: () => {
      if (typed !== null && typed === "" && value !== "") onText("");
      onLeft?.(shown);
      setTyped(null);
    },
  };
  if (!lines) return <Input {...props} />;
  const rows = Math.min(14, Math.max(3, shown.split("\n").length + 1));
  // Holds: what a field is given (id, aria) is the same for both kinds of control.
  return <Textarea rows={rows} wrap="off" {...(props as ComponentProps<typeof Textarea>)} />;
}
