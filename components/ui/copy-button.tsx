"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { toast } from "@/components/ui/toast";

export interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
  /** Draws the label too. */
  withLabel?: boolean;
  size?: "sm" | "md";
  className?: string;
}

/** Copies, and says for a moment that it did. */
export function CopyButton({ text, label = "Copy", withLabel, size = "md", className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    // Synchronises with the clock: "copied" is true for a moment.
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    copyText(typeof text === "string" ? text : text())
      .then(() => setCopied(true))
      .catch(() =>
        toast.error("The browser blocked copying", { description: "Select the text and copy it manually." }),
      );
  };
  const rest = className === undefined ? {} : { className };
  if (withLabel)
    return (
      <Button size={size} onClick={copy} {...rest}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        <span aria-live="polite">{copied ? "Copied" : label}</span>
      </Button>
    );
  return (
    <IconButton icon={copied ? Check : Copy} label={copied ? "Copied" : label} size={size} onClick={copy} {...rest} />
  );
}

/** Copies text to the clipboard, also over plain http, where the browser disables its clipboard API. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copy refused");
}
