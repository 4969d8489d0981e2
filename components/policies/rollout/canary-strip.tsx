"use client";

import { useQuery } from "@tanstack/react-query";
import { Bird } from "lucide-react";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { type Binding, counted, reach } from "@/components/policies/labels";
import { useBlockingOverride } from "@/components/policies/review/use-blocking-override";
import { BrakeField, duringFreeze } from "@/components/policies/rollout/brake-field";
import { canaryWhom, sideWords } from "@/components/policies/rollout/canary-text";
import { limitsText } from "@/components/policies/rollout/comparison-text";
import { useFreeze, useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { clockTime } from "@/components/ui/format/instant";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { toast } from "@/components/ui/toast";
import type { CanaryView, PolicyDetailView } from "@/server/policies/schema";

const CanaryDialog = loadWhenOpened(() =>
  import("@/components/policies/rollout/canary-dialog").then((one) => one.CanaryDialog),
);

const REFRESH_MS = 15_000;

export interface CanaryStripProps {
  policy: PolicyDetailView;
  canary: CanaryView;
  binding: Binding;
}

/** The agents that try a revision before the others, how both fare, and the ways it ends. */
export function CanaryStrip({ policy, canary, binding }: CanaryStripProps) {
  const isFrozen = useFreeze() != null;
  const [asked, setAsked] = useState<"promoted" | "abandoned" | "share" | null>(null);
  const [reason, setReason] = useState("");
  const trpc = useTRPC();
  const renew = useRefresh();
  const { revision, inside } = canary;
  const others = Math.max(0, reach(binding) - inside);
  const theirs = policy.liveRevision === 0 ? "without this policy" : `on revision ${policy.liveRevision}`;
  const which = { policyId: policy.id, revision };
  const blocking = useBlockingOverride(policy.name);
  const { onError } = orSecondPerson("end_canary");
  const ending = (says: string) => ({
    mutation: trpc.policies.endCanary.mutationOptions({
      onError: (error, input) => {
        onError(error, input);
        blocking.note(error);
      },
    }),
    onClose: () => setAsked(null),
    onDone: async () => {
      await renew();
      setReason("");
      toast.success(says);
    },
  });
  return (
    <section
      aria-label="Canary"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-ask-line border-b bg-ask-soft px-4 py-2.5 md:px-6"
    >
      <Bird aria-hidden className="size-5 shrink-0 text-ask" />
      <div className="min-w-56 flex-1 text-sm">
        <p className="font-semibold text-ask text-base">
          Canary: revision {revision} for {canaryWhom(canary)}, {counted(inside, "agent")} of {reach(binding)}; the
          other {others} {others === 1 ? "is" : "are"} {theirs}.
        </p>
        <Comparison policyId={policy.id} canary={canary} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setAsked("abandoned")}>
          Abandon…
        </Button>
        <Button size="sm" onClick={() => setAsked("share")}>
          Change share…
        </Button>
        <Button size="sm" variant="primary" onClick={() => setAsked("promoted")}>
          Promote…
        </Button>
      </div>
      <CanaryDialog
        open={asked === "share"}
        onClose={() => setAsked(null)}
        policy={policy}
        revision={revision}
        binding={binding}
      />
      <ActDialog
        {...ending(`Revision ${revision} is in force for all agents`)}
        input={asked === "promoted" && (() => ({ ...which, outcome: "promoted" as const, ...blocking.sent }))}
        isPreparing={blocking.isHeld}
        title={`Put revision ${revision} in force for all agents?`}
        confirm="Promote"
        danger={false}
      >
        <p>
          {counted(others, "more agent")} {others === 1 ? "gets" : "get"} revision {revision} from the next event.
          {policy.liveRevision > 0 ? ` Revision ${policy.liveRevision} is no longer in force.` : ""}
        </p>
        {blocking.fields}
      </ActDialog>
      <ActDialog
        {...ending(`Revision ${revision} withdrawn`)}
        input={
          asked === "abandoned" &&
          (() => ({ ...which, outcome: "abandoned" as const, ...duringFreeze(isFrozen, reason) }))
        }
        title={`Withdraw revision ${revision}?`}
        confirm="Abandon canary"
      >
        <p>
          {counted(inside, "agent")} {inside === 1 ? "is" : "are"} {theirs} again from the next event. The revision
          stays in the list.
        </p>
        <BrakeField value={reason} onChange={setReason} />
      </ActDialog>
    </section>
  );
}

/** The verdicts inside the canary and outside of it, since it began. */
function Comparison({ policyId, canary }: { policyId: string; canary: CanaryView }) {
  const trpc = useTRPC();
  const figures = useQuery({
    ...trpc.policies.canaryFigures.queryOptions({ policyId }),
    refetchInterval: REFRESH_MS,
  });
  const nowMs = useNow(60_000);
  return figures.isError ? (
    <p>Couldn&apos;t load canary results. {failureSentence(figures.error)}</p>
  ) : figures.data && nowMs !== null ? (
    <>
      {canary.limits ? <p>{limitsText(canary.limits, figures.data.comparison)}</p> : null}
      {figures.data.fault ? <ErrorLine>The limits are not checked. {figures.data.fault}</ErrorLine> : null}
      <p>
        Inside: {sideWords(figures.data.inside)} Others: {sideWords(figures.data.others)} Counts denials of all policies
        since {clockTime(figures.data.from, nowMs)}.
      </p>
    </>
  ) : (
    <p>
      Since <RelativeTime at={canary.since} />, by {canary.by}.
    </p>
  );
}
