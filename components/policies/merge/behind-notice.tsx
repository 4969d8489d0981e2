"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { PolicyDetailView } from "@/server/policies/schema";

/** A draft that began on an older revision than the newest, and the way onto that one. */
export function BehindNotice({ policy, keeper }: { policy: PolicyDetailView; keeper: DraftAutosave }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id: policyId, draftBaseRevision: from, latestRevision: to } = policy;
  const textOf = (number: number) => queries.fetchQuery(trpc.policies.revision.queryOptions({ policyId, number }));
  const bring = useMutation({
    mutationFn: async () => {
      if (!(await keeper.saveNow())) throw new Error("Your draft is not saved yet. Save the draft, then update it.");
      const [base, newer] = await Promise.all([from > 0 ? textOf(from) : null, textOf(to)]);
      keeper.bringUpTo(base?.source ?? "", newer);
      await keeper.saveNow();
      await queries.invalidateQueries({ queryKey: trpc.policies.get.queryKey({ policyId }) });
    },
  });
  const isGone = appCodeOf(bring.error) === "revision_not_found";
  return (
    <Notice
      kind="warning"
      className="m-3 mb-0"
      action={
        <Button size="sm" busy={bring.isPending} onClick={() => bring.mutate()}>
          Update draft
        </Button>
      }
    >
      Revision {to} was published after this draft started from {from > 0 ? `revision ${from}` : "an empty policy"}.
      Publishing the draft now would undo it.
      {bring.error ? (
        <span role="alert">
          {" "}
          {isGone
            ? "Your draft cannot be merged: the revision it started from was deleted. Open Changes to compare the draft with the revision in force."
            : failureSentence(bring.error)}
        </span>
      ) : null}
    </Notice>
  );
}
