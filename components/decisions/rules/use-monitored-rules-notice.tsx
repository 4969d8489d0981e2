"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useEffect, useRef } from "react";
import { untilMonitorEnds } from "@/components/layout/monitor-mode/monitor-end";
import { observedWords, untilWords } from "@/components/layout/monitor-mode/monitor-mode-text";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";
import { ruleKeyText } from "@/server/decisions/rules/schema";
import type { MonitoredRuleSums } from "@/server/shadow-mode/schema";

const NAMED_MAX = 3;

/** The notice of the rules in monitor mode, on every page. Null without such rules. */
export function useMonitoredRulesNotice(): PageNotice | null {
  useLiveQueries(["observations", "policies"]);
  const trpc = useTRPC();
  const nowMs = useNow(1_000);
  const query = useQuery({
    ...trpc.shadowMode.ruleSums.queryOptions(),
    refetchInterval: ({ state }) => untilMonitorEnds([{ monitored: state.data ?? [] }]),
  });
  const rules = query.data ?? [];
  useRefreshAtEnd(rules);
  const [first] = rules;
  if (!first) return null;
  return {
    id: "monitored rules",
    label: "Monitored rules",
    kind: "info",
    icon: Eye,
    text:
      rules.length === 1 ? (
        <>
          <RuleLink rule={first} /> of {first.name} <strong className="font-semibold">is only monitored.</strong>{" "}
          {observedWords(first, "rule")} {untilWords(first.until, nowMs, "rule")}
        </>
      ) : (
        <>
          <strong className="font-semibold">{rules.length} rules are only monitored:</strong>{" "}
          {rules.slice(0, NAMED_MAX).map((rule, index) => (
            <span key={`${rule.policyId} ${rule.event} ${rule.hook}`}>
              {index === 0 ? "" : ", "}
              <RuleLink rule={rule} /> of {rule.name}
            </span>
          ))}
          {rules.length > NAMED_MAX ? ` and ${rules.length - NAMED_MAX} more` : ""}. First of them:{" "}
          {untilWords(first.until, nowMs, "rule")}
        </>
      ),
  };
}

function RuleLink({ rule: { name: policy, event, hook } }: { rule: MonitoredRuleSums }) {
  const href = `/policies/performance?${new URLSearchParams({ open: ruleKeyText({ policy, event, hook }) })}`;
  return (
    <Link className="font-semibold underline underline-offset-2" href={href}>
      {hook}
    </Link>
  );
}

/** No event announces the end of monitor mode: when a rule leaves the list, what pages show as in force is refetched. */
function useRefreshAtEnd(rules: readonly MonitoredRuleSums[]): void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const known = useRef("");
  const names = rules.map(({ policyId, event, hook }) => JSON.stringify([policyId, event, hook])).join("\n");
  useEffect(() => {
    const now = new Set(names.split("\n"));
    const hasEnded = known.current.split("\n").some((name) => name !== "" && !now.has(name));
    known.current = names;
    if (!hasEnded) return;
    for (const { pathKey } of [trpc.policies, trpc.rules, trpc.agents])
      void queries.invalidateQueries({ queryKey: pathKey() });
  }, [names, trpc, queries]);
}
