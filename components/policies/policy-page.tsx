"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePermission } from "@/components/access/permission";
import { LiveTestStrip } from "@/components/backtest/live-test-strip";
import { untilMonitorEnds } from "@/components/layout/monitor-mode/monitor-end";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { AllowListOffer } from "@/components/policies/allow-list-offer";
import { ConflictNotice } from "@/components/policies/conflict-notice";
import { JudgeNotices } from "@/components/policies/judge/judge-notices";
import { BehindNotice } from "@/components/policies/merge/behind-notice";
import { MergeNotice } from "@/components/policies/merge/merge-notice";
import { EditView } from "@/components/policies/page/edit-view";
import { GateFailureNotice } from "@/components/policies/page/gate-failure-notice";
import { ChangesTab, RevisionsTab, TestsTab } from "@/components/policies/page/other-views";
import { PolicyDialogs } from "@/components/policies/page/policy-dialogs";
import { POLICY_CRUMBS, PolicyHeader, PolicyToolbar } from "@/components/policies/page/policy-header";
import { StateLine } from "@/components/policies/page/state-line";
import { UnreadableAssignmentsNotice, UnreadableNotice } from "@/components/policies/page/unreadable-notice";
import { usePolicyCommands } from "@/components/policies/page/use-policy-commands";
import { usePolicyStudio } from "@/components/policies/page/use-policy-studio";
import { ReachLine } from "@/components/policies/reach-line";
import { ReviewStatus } from "@/components/policies/review/review-status";
import { RolloutStrip } from "@/components/policies/rollout/rollout-strip";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { PolicyDetailView } from "@/server/policies/schema";

const NO_FINDINGS: readonly never[] = [];

interface PolicyPageProps {
  policyId: string;
  /** A badge with the server's limits for command hooks, next to the policy's name. */
  confinement?: ReactNode;
}

/** One policy: its text, its revision in force, its assignments and its history. */
export function PolicyPage({ policyId, confinement = null }: PolicyPageProps) {
  useLiveQueries(["policies", "reviews", "agents"]);
  const trpc = useTRPC();
  const policy = useQuery({
    ...trpc.policies.get.queryOptions({ policyId }),
    refetchInterval: ({ state }) => untilMonitorEnds(state.data ? [state.data] : []),
  });
  if (policy.data) return <Studio key={policyId} policy={policy.data} confinement={confinement} />;
  const isGone = appCodeOf(policy.error) === "policy_not_found";
  return (
    <>
      <PageHeader title="Policy" crumbs={POLICY_CRUMBS} />
      <PageBody>
        {policy.error ? (
          <ErrorState
            title={isGone ? "This policy does not exist" : "The policy could not be loaded"}
            reason={isGone ? "The policy was deleted, or the link is incorrect." : failureSentence(policy.error)}
            stillWorks={isGone ? undefined : "Policy revisions in force stay in force."}
            {...(isGone ? {} : { onRetry: () => void policy.refetch() })}
            action={
              <Button asChild>
                <Link href="/policies">All policies</Link>
              </Button>
            }
          />
        ) : (
          <Loading label="the policy">
            <SkeletonText lines={12} />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

function Studio({ policy, confinement }: { policy: PolicyDetailView; confinement: ReactNode }) {
  const studio = usePolicyStudio(policy);
  usePolicyCommands(studio);
  const { draft, keeper, binding, view, setDialog, editor, isBehind, checked, moveToNewest } = studio;
  const mayEdit = usePermission("policy:write").isGranted;
  return (
    <>
      <PolicyHeader studio={studio} confinement={confinement} />
      <StateLine policy={policy} binding={binding} onAssign={() => setDialog("applies")} />
      <PolicyToolbar studio={studio} />
      <UnreadableNotice unreadable={policy.unreadable} />
      <UnreadableAssignmentsNotice problems={policy.unreadableAssignments} />
      <GateFailureNotice
        findings={checked.view?.findings ?? NO_FINDINGS}
        failures={studio.failures}
        onMove={mayEdit ? moveToNewest : null}
      />
      <ReachLine policy={policy} />
      <RolloutStrip policy={policy} binding={binding} />
      <LiveTestStrip policyId={policy.id} />
      <ReviewStatus policyId={policy.id} onFourEyes={() => setDialog("four eyes")} />
      {draft.conflict ? <ConflictNotice conflict={draft.conflict} text={draft.text} keeper={keeper} /> : null}
      {draft.merged ? <MergeNotice merged={draft.merged} text={draft.text} keeper={keeper} /> : null}
      {isBehind && !draft.conflict ? <BehindNotice policy={policy} keeper={keeper} /> : null}
      <JudgeNotices text={draft.text} editor={editor} onText={(text) => keeper.type(text)} />
      <AllowListOffer text={draft.text} editor={editor} onText={(text) => keeper.type(text)} />
      {view === "edit" ? <EditView studio={studio} /> : null}
      {view === "tests" ? <TestsTab studio={studio} /> : null}
      {view === "changes" ? <ChangesTab studio={studio} /> : null}
      {view === "revisions" ? <RevisionsTab studio={studio} /> : null}
      <PolicyDialogs studio={studio} />
    </>
  );
}
