"use client";

import { judgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { everyPolicy } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { PromptDetailView } from "@/server/prompts/schema";

interface UseInPolicyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  prompt: PromptDetailView;
}

/** Chooses the policy whose draft takes the latest revision. The hook is chosen on the policy's page. */
export function UseInPolicyDialog({ open, onOpenChange, prompt }: UseInPolicyDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const policies = useQuery({ ...everyPolicy(trpc), enabled: open });
  const [policyId, setPolicyId] = useState<string>();
  const label = judgeLabel({ name: prompt.name, revision: prompt.latestRevision });
  const none = policies.data?.length === 0;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={`Use ${label} in a policy`}
      description="The prompt, its model and its schema are added as a hook to the policy's draft. Publish the draft to put the hook in force."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button
            variant="primary"
            disabled={policyId === undefined}
            onClick={() => router.push(`/policies/${policyId}?judge=${encodeURIComponent(label)}`)}
          >
            Open the policy
          </Button>
        </>
      }
    >
      {policies.error ? <ErrorLine>{failureSentence(policies.error)}</ErrorLine> : null}
      {none ? <p className="text-muted">No policies yet. Create a policy on the Policies page first.</p> : null}
      <Field label="Policy">
        <Select
          value={policyId}
          onChange={setPolicyId}
          disabled={!policies.data || none}
          options={(policies.data ?? []).map(({ id, name, latestRevision }) => ({
            value: id,
            label: name,
            aside: latestRevision === 0 ? "not published" : `revision ${latestRevision}`,
          }))}
        />
      </Field>
    </Dialog>
  );
}
