"use client";

import { type BlockingRule, isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { counted } from "@/components/policies/labels";
import type { PublishValues } from "@/components/policies/publish-form";
import { blockingRulesOf } from "@/components/policies/review/blocking-rules";
import { useRollBack } from "@/components/policies/rollout/put-in-force-dialog";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { toast } from "@/components/ui/toast";
import type { CheckView, PolicyDetailView } from "@/server/policies/schema";

interface PublishOptions {
  policy: PolicyDetailView;
  keeper: DraftAutosave;
  /** The check of the draft. */
  view: CheckView | null;
  onOpenChange: (open: boolean) => void;
}

/** Saves the draft and publishes it; afterwards a toast offers the way back. */
export function usePublish({ policy, keeper, view, onOpenChange }: PublishOptions) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const rollBack = useRollBack();
  const [refused, setRefused] = useState(NOT_REFUSED);
  const mutation = useMutation(
    trpc.policies.publish.mutationOptions({ onError: (error) => setRefused((before) => refusedWith(before, error)) }),
  );
  const found = (view?.findings ?? []).map(({ rule }) => rule).filter(isBlockingRule);
  const rules = [...new Set([...found, ...refused.rules])];
  const hasFailingCases = refused.hasFailingCases;

  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
    ]);
  const overrideOf = (override: PublishValues["override"]) =>
    hasFailingCases || rules.length > 0 ? { override: { ...override, cases: hasFailingCases, rules } } : {};
  const publish = async ({ note, rollout, override }: PublishValues) => {
    if (!(await keeper.saveNow())) return;
    const { text, version } = keeper.state;
    const asked = { policyId: policy.id, source: text, note, rollout, ...overrideOf(override) };
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
  return { publish, isPublishing: mutation.isPending, hasFailingCases, blockingRules: rules };
}

interface Refused {
  readonly hasFailingCases: boolean;
  /** The rules of the findings that only the server sees. */
  readonly rules: readonly BlockingRule[];
}

const NOT_REFUSED: Refused = { hasFailingCases: false, rules: [] };

/** Each refusal adds to the ones before: an override must cover all of them. */
function refusedWith(before: Refused, error: unknown): Refused {
  const rules = blockingRulesOf(error);
  return {
    hasFailingCases: before.hasFailingCases || appCodeOf(error) === "cases_failing",
    rules: [...new Set([...before.rules, ...rules])],
  };
}
