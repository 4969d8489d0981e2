"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { observedWords, untilWords } from "@/components/layout/monitor-mode/monitor-mode-text";
import type { Binding } from "@/components/policies/labels";
import { counted, reach } from "@/components/policies/labels";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { useNow } from "@/components/ui/format/clock";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

const ObserveDialog = loadWhenOpened(() =>
  import("@/components/policies/rollout/observe-dialog").then((one) => one.ObserveDialog),
);
const ObservedDrawer = loadWhenOpened(() =>
  import("@/components/policies/rollout/observed-drawer").then((one) => one.ObservedDrawer),
);

/** A banner while a policy is only observed: the end of the period, and what the policy would have decided. */
export function ObserveBanner({ policy, binding }: { policy: PolicyDetailView; binding: Binding }) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const nowMs = useNow(1_000);
  const [asked, setAsked] = useState<"enforce" | "extend" | null>(null);
  const [seen, setSeen] = useQueryState("observed");
  const sums = useQuery({ ...trpc.shadowMode.sums.queryOptions(), enabled: policy.observed !== null });
  const { observed } = policy;
  const drawer = <ObservedDrawer policy={policy} open={seen === "1"} onClose={() => void setSeen(null)} />;
  if (!observed) return drawer;
  const own = sums.data?.find((one) => one.policyId === policy.id);
  const isWhole = observed.agents === reach(binding);
  return (
    <section
      aria-label="Observed only"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-observe-line border-b-2 bg-observe-soft px-4 py-2.5 md:px-6"
    >
      <Eye aria-hidden className="size-5 shrink-0 text-observe" />
      <div className="min-w-56 flex-1">
        <p className="font-semibold text-observe">
          Observed only{isWhole ? "" : ` for ${counted(observed.agents, "agent")}`}: calls the policy denies still run.
        </p>
        <p className="text-sm">
          {untilWords(observed.until, nowMs)} Chosen by {observed.by}. {own ? observedWords(own) : ""}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void setSeen("1")}>
          Effect if enforced
        </Button>
        <Button size="sm" onClick={() => setAsked("extend")}>
          Extend…
        </Button>
        <Button size="sm" variant="primary" onClick={() => setAsked("enforce")}>
          Enforce now…
        </Button>
      </div>
      <ObserveDialog open={asked === "extend"} onClose={() => setAsked(null)} policy={policy} binding={binding} />
      <ActDialog
        mutation={trpc.policies.observe.mutationOptions(orSecondPerson("observe"))}
        input={asked === "enforce" && { policyId: policy.id, until: null }}
        onClose={() => setAsked(null)}
        title={`Enforce ${policy.name} now?`}
        confirm="Enforce now"
        danger={false}
        onDone={async () => {
          await renew();
          toast.success(`${policy.name} is enforced`);
        }}
      >
        <p>
          Revision {policy.liveRevision} applies to {counted(reach(binding), "agent")} from the next event.
        </p>
        {own ? <p>{observedWords(own)}</p> : null}
      </ActDialog>
      {drawer}
    </section>
  );
}
