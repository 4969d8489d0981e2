"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { counted } from "@/components/policies/labels";
import type { PublishValues } from "@/components/policies/publish-form";
import { useRollBack } from "@/components/policies/rollout/put-in-force-dialog";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

interface PublishOptions {
  policy: PolicyDetailView;
  keeper: DraftAutosave;
  onOpenChange: (open: boolean) => void;
}

/** Saves the draft and publishes it; afterwards a toast offers the way back. */
export function usePublish({ policy, keeper, onOpenChange }: PublishOptions) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const rollBack = useRollBack();
  const mutation = useMutation(trpc.policies.publish.mutationOptions());
  const hasFailingCases = appCodeOf(mutation.error) === "cases_failing";

  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
    ]);
  const publish = async ({ note, rollout, override }: PublishValues) => {
    if (!(await keeper.saveNow())) return;
    const { text, version } = keeper.state;
    const asked = { policyId: policy.id, source: text, note, rollout, ...(hasFailingCases && { override }) };
    const published = await mutation
      .mutateAsync({ ...asked, baseRevision: policy.latestRevision, draftVersion: version })
      .catch((error: unknown) => {
        if (appCodeOf(error) !== "policy_moved_on") throw error;
        throw new Error(`${failureSentence(error)} Nothing was published. Close this dialog and compare the versions.`);
      });
    keeper.published(published.number);
    onOpenChange(false);
    await renew();
    if (rollout.kind === "canary") {
      toast.success(`Revision ${published.number} of ${published.name} is in canary`, {
        description: `${counted(published.agents, "agent")} ${published.agents === 1 ? "has" : "have"} it now.`,
      });
      return;
    }
    const { number, name, entry } = published;
    const before = policy.liveRevision;
    const undo = () =>
      rollBack({ policyId: policy.id, number: before, expectedLive: number, undoes: entry }).then(() => undefined);
    toastWithUndo({
      title: `Revision ${number} of ${name} is in force`,
      description: `Applies to ${counted(published.agents, "agent")}.`,
      // The agents of a canary would not get their revision back.
      undo: policy.canary === null ? undo : null,
      undone: before === 0 ? `No revision of ${name} is in force` : `Revision ${before} of ${name} is in force again`,
    });
  };
  return { publish, isPublishing: mutation.isPending, hasFailingCases };
}
