"use client";

import type { Binding } from "@/components/policies/labels";
import { CanaryStrip } from "@/components/policies/rollout/canary-strip";
import { ObserveBanner } from "@/components/policies/rollout/observe-banner";
import { WithdrawalStrip } from "@/components/policies/rollout/withdrawal-strip";
import { useLiveQueries } from "@/components/trpc/live-queries";
import type { PolicyDetailView } from "@/server/policies/schema";

/** The exceptions to being in force for everyone: a policy that is only observed, a revision that some try first. */
export function RolloutStrip({ policy, binding }: { policy: PolicyDetailView; binding: Binding }) {
  useLiveQueries(["observations"]);
  return (
    <>
      <ObserveBanner policy={policy} binding={binding} />
      {policy.withdrawal ? <WithdrawalStrip policy={policy} withdrawal={policy.withdrawal} /> : null}
      {policy.canary ? <CanaryStrip policy={policy} canary={policy.canary} binding={binding} /> : null}
    </>
  );
}
