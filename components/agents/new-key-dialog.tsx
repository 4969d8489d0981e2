"use client";

import { Enrolment } from "@/components/agents/enrolment";
import { Notice } from "@/components/ui/notice";
import { ShownOnce } from "@/components/ui/shown-once";

export interface NewKey {
  readonly agentName: string;
  readonly key: string;
}

/** A key, this once. Closing it is the end of it: the server keeps a hash. */
export function NewKeyDialog({ created, onClose }: { created: NewKey | null; onClose: () => void }) {
  return (
    <ShownOnce
      secret={created?.key ?? null}
      size="lg"
      title={created ? `Key of ${created.agentName}` : ""}
      description="The key is shown only once. Copy it now."
      noun="key"
      done="Done"
      testId="new-key"
      onClose={onClose}
    >
      {created ? (
        <>
          <Notice kind="info">
            Anyone with this key can act as {created.agentName}. Revoking takes effect immediately.
          </Notice>
          <section aria-label="Enrol the agent" className="flex flex-col gap-3">
            <h3 className="text-md">Enrol the agent</h3>
            <Enrolment />
          </section>
        </>
      ) : null}
    </ShownOnce>
  );
}
