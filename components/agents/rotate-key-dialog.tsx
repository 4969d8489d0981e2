"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Select } from "@/components/ui/select";
import type { AgentView, KeyView } from "@/server/agents/schema";

export interface RotateKeyDialogProps {
  agent: AgentView;
  /** The key to replace; null when the dialog is closed. */
  rotating: KeyView | null;
  onClose: () => void;
  onRotated: (key: string) => Promise<unknown>;
}

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
  { value: "0", label: "not at all" },
] as const;

/** Replaces a key. The old key stays valid for a while, so that the agent can continue. */
export function RotateKeyDialog({ agent, rotating, onClose, onRotated }: RotateKeyDialogProps) {
  const trpc = useTRPC();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]["value"]>("24");
  const rotate = useMutation(
    trpc.agents.rotateKey.mutationOptions({
      onSuccess: async ({ key }) => {
        onClose();
        await onRotated(key);
      },
    }),
  );
  const close = () => {
    rotate.reset();
    onClose();
  };
  const endsAt = rotating?.expiresAt ?? null;
  const endsSooner = endsAt !== null && endsAt.getTime() < Date.now() + Number(overlap) * HOUR_MS;
  return (
    <Dialog
      open={rotating !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
      size="sm"
      title={`Replace key ${rotating?.hint ?? ""}… of ${agent.name}`}
      description="The new key has the same permissions. Install it before the old key expires."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            busy={rotate.isPending}
            onClick={() =>
              rotating && rotate.mutate({ agentId: agent.id, keyId: rotating.id, overlapHours: Number(overlap) })
            }
          >
            Create new key
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field
          label="Keep the old key valid for"
          help={
            endsSooner ? (
              <>
                The old key expires <RelativeTime at={endsAt} />.
              </>
            ) : undefined
          }
        >
          <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
        </Field>
        {rotate.error ? <ErrorLine>{failureSentence(rotate.error)}</ErrorLine> : null}
      </div>
    </Dialog>
  );
}
