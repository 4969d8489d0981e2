"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

export interface NewToken {
  readonly name: string;
  readonly token: string;
}

/** A token, this once. Closing it is the end of it: the server keeps a hash. */
export function NewTokenDialog({ created, onClose }: { created: NewToken | null; onClose: () => void }) {
  return (
    <Dialog
      open={created !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={created ? `The enrolment token ${created.name}` : ""}
      description="It is shown this once. Copy it now; nobody can read it later, only make another."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {created ? (
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft p-2 pl-3">
            <code className="min-w-0 flex-1 break-all font-semibold" data-testid="new-token">
              {created.token}
            </code>
            <CopyButton text={created.token} label="Copy token" withLabel />
          </div>
          <Notice kind="info">
            On a machine, with the token in a file: <code>quarterdeck join --url URL --token-file FILE</code>. Whoever
            holds the token can make agents until it ends or is used up.
          </Notice>
        </div>
      ) : null}
    </Dialog>
  );
}
