"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import {
  endOfSpan,
  type MonitorSpan,
  MonitorSpanField,
  USUAL_SPAN,
} from "@/components/layout/monitor-mode/monitor-span";
import { useTRPC } from "@/components/trpc/client";
import { useNow } from "@/components/ui/format/clock";
import { exactTime } from "@/components/ui/format/instant";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";

/** A rule of a policy in force. */
export interface MonitoredRule {
  readonly policyId: string;
  readonly policy: string;
  readonly event: string;
  readonly hook: string;
}

export interface MonitorRuleDialogProps {
  /** Null while the dialog is closed. */
  act: "monitor" | "extend" | "enforce" | null;
  rule: MonitoredRule;
  /** The results so far, in sentences. */
  results: string;
  onClose: () => void;
}

/** Asks before a rule is monitored or enforced. States the end, and that enforcement resumes by itself. */
export function MonitorRuleDialog({ act, rule, results, onClose }: MonitorRuleDialogProps) {
  const trpc = useTRPC();
  const refresh = useRefreshRules();
  const nowMs = useNow(1_000) ?? 0;
  const [span, setSpan] = useState<MonitorSpan>(USUAL_SPAN);
  const { policyId, policy, event, hook } = rule;
  const name = { policyId, event, hook };
  return (
    <>
      <ActDialog
        mutation={trpc.policies.monitorRule.mutationOptions(orSecondPerson("monitor_rule"))}
        input={(act === "monitor" || act === "extend") && (() => ({ ...name, until: endOfSpan(span, Date.now()) }))}
        onClose={onClose}
        title={act === "extend" ? `Extend monitor mode of the rule ${hook}?` : `Put the rule ${hook} in monitor mode?`}
        confirm={act === "extend" ? "Extend" : "Monitor"}
        onDone={async () => {
          await refresh();
          toast.success(act === "extend" ? "Monitor mode extended" : `${hook} is in monitor mode`);
        }}
      >
        <MonitorSpanField span={span} onChange={setSpan} />
        <Notice kind="danger">
          <p>
            Until {exactTime(endOfSpan(span, nowMs))}, calls that this rule of {policy} denies on {event} will run.
          </p>
          <p>After that time, the rule is enforced automatically. The policy's other rules are not affected.</p>
        </Notice>
        <p>
          The rule runs after each answer, and its decisions are recorded. A rule for the agent&apos;s machine does not
          run until then.
        </p>
      </ActDialog>
      <ActDialog
        mutation={trpc.policies.monitorRule.mutationOptions(orSecondPerson("monitor_rule"))}
        input={act === "enforce" && { ...name, until: null }}
        onClose={onClose}
        title={`Enforce the rule ${hook} now?`}
        confirm="Enforce now"
        danger={false}
        onDone={async () => {
          await refresh();
          toast.success(`${hook} is enforced`);
        }}
      >
        <p>The rule applies to the agents of {policy} from the next event.</p>
        <p>{results}</p>
      </ActDialog>
    </>
  );
}

/** Refetches everything that shows rules in force. */
function useRefreshRules(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all(
      [trpc.policies, trpc.rules, trpc.agents, trpc.shadowMode].map((room) =>
        queries.invalidateQueries({ queryKey: room.pathKey() }),
      ),
    );
  };
}
