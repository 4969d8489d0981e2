"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";

export interface ShownOnceProps {
  /** Null when there is nothing to show. */
  secret: string | null;
  title: string;
  description: string;
  /** The word for what the copy button copies: "link", "token". */
  noun: string;
  onClose: () => void;
  children?: ReactNode;
}

/** A link or a token, this once: the server keeps a hash. */
export function ShownOnce({ secret, title, description, noun, onClose, children }: ShownOnceProps) {
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      {secret === null ? null : (
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft p-2 pl-3">
            <code className="min-w-0 flex-1 break-all font-semibold" data-testid="shown-once">
              {secret}
            </code>
            <CopyButton text={secret} label={`Copy ${noun}`} withLabel />
          </div>
          {children}
        </div>
      )}
    </Dialog>
  );
}
