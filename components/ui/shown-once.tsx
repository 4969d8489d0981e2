"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, type DialogProps } from "@/components/ui/dialog";

export interface ShownOnceProps extends Pick<DialogProps, "size"> {
  /** Null while there is no secret to show. */
  secret: string | null;
  title: string;
  description: string;
  /** The noun for the copied text: "link", "token". */
  noun: string;
  onClose: () => void;
  /** The label of the button that closes it. */
  done?: string;
  testId?: string;
  children?: ReactNode;
}

/** A secret that can be read only now, with a copy button. Closing it discards the text. */
export function ShownOnce(props: ShownOnceProps) {
  const {
    secret,
    title,
    description,
    noun,
    onClose,
    done = `I have saved the ${noun}`,
    testId = "shown-once",
    children,
    ...rest
  } = props;
  return (
    <Dialog
      {...rest}
      open={secret !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          {done}
        </Button>
      }
    >
      {secret === null ? null : (
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft p-2 pl-3">
            <code className="min-w-0 flex-1 break-all font-semibold" data-testid={testId}>
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
