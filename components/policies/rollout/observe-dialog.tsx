"use client";

import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import {
  endOfSpan,
  type MonitorSpan,
  MonitorSpanField,
  USUAL_SPAN,
} from "@/components/layout/monitor-mode/monitor-span";
import { type Binding, counted, reach } from "@/components/policies/labels";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { useNow } from "@/components/ui/format/clock";
import { minuteTime } from "@/components/ui/format/instant";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

export interface ObserveDialogProps {
  open: boolean;
  onClose: () => void;
  policy: PolicyDetailView;
  binding: Binding;
}

/**
 * Observes a policy for a fixed time, so that its gates are open. States the end, the number of agents, and that
 * enforcement resumes by itself.
 */
export function ObserveDialog({ open, onClose, policy, binding }: ObserveDialogProps) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const nowMs = useNow(1_000) ?? 0;
  const [span, setSpan] = useState<MonitorSpan>(USUAL_SPAN);
  const untilAt = (ms: number) => endOfSpan(span, ms);
  const isOn = policy.observed !== null;
  const announce = async () => {
    await renew();
    toast.success(isOn ? "Monitor mode extended" : `${policy.name} is in monitor mode`, {
      description: `The policy will be enforced at ${minuteTime(untilAt(Date.now()))}.`,
    });
  };
  return (
    <ActDialog
      mutation={trpc.policies.observe.mutationOptions(orSecondPerson("observe"))}
      input={open && (() => ({ policyId: policy.id, until: untilAt(Date.now()) }))}
      onClose={onClose}
      title={isOn ? `Extend monitor mode of ${policy.name}?` : `Switch ${policy.name} to monitor mode?`}
      confirm={isOn ? "Extend" : "Switch to monitor mode"}
      onDone={announce}
    >
      <MonitorSpanField span={span} onChange={setSpan} />
      <Notice kind="danger">
        <p>
          Until {minuteTime(untilAt(nowMs))}, calls the policy denies will run, for {counted(reach(binding), "agent")}.
        </p>
        <p>When monitor mode ends, the policy is enforced automatically.</p>
      </Notice>
      <p>
        Server hooks run after each answer, and their decisions are recorded. Hooks for the agent&apos;s machine are not
        sent to it until then.
      </p>
    </ActDialog>
  );
}
