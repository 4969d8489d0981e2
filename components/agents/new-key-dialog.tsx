"use client";

import { Enrolment } from "@/components/agents/enrolment";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

export interface NewKey {
  readonly agentName: string;
  readonly key: string;
}

/** A key, this once. Closing it is the end of it: the server keeps a hash. */
export function NewKeyDialog({ created, onClose }: { created: NewKey | null; onClose: () => void }) {
  return (
    <Dialog
      open={created !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={created ? `The key of ${created.agentName}` : ""}
      description="It is shown this once. Copy it now; nobody can read it later, only replace it."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {created ? (
        <div className="flex flex-col gap-5">
          <div className="flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft p-2 pl-3">
            <code className="min-w-0 flex-1 break-all font-semibold" data-testid="new-key">
              {created.key}
            </code>
            <CopyButton text={created.key} label="Copy key" withLabel />
          </div>
          <Notice kind="info">
            Anyone with this key can act as {created.agentName}. Revoking takes effect immediately.
          </Notice>
          <section aria-label="Enrol the agent" className="flex flex-col gap-3">
            <h3 className="text-md">Enrol the agent</h3>
            <Enrolment apiKey={created.key} />
          </section>
        </div>
      ) : null}
    </Dialog>
  );
}
