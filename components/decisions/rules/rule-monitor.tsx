"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { MonitorRuleDialog, type MonitorRuleDialogProps } from "@/components/decisions/rules/monitor-rule-dialog";
import { observedWords, untilWords } from "@/components/layout/monitor-mode/monitor-mode-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorLine } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { RuleCard } from "@/server/decisions/rules/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { MonitoredRuleSums, ObservationView } from "@/server/shadow-mode/schema";

const SHOWN = 10;

/** The monitor mode of a rule in force: its end, its results, and the acts. */
export function RuleMonitor({ card }: { card: RuleCard }) {
  useLiveQueries(["observations", "policies"]);
  const trpc = useTRPC();
  const [act, setAct] = useState<MonitorRuleDialogProps["act"]>(null);
  const sums = useQuery(trpc.shadowMode.ruleSums.queryOptions());
  const { policyId, policy, event, hook } = card;
  if (policyId === null || card.inForce === 0) return null;
  const own = sums.data?.find((one) => one.policyId === policyId && one.event === event && one.hook === hook);
  return (
    <Section
      title="Monitor mode"
      actions={
        own === undefined ? (
          <PermittedButton to="policy:publish" size="sm" onClick={() => setAct("monitor")}>
            Monitor…
          </PermittedButton>
        ) : (
          <>
            <PermittedButton to="policy:publish" size="sm" onClick={() => setAct("extend")}>
              Extend…
            </PermittedButton>
            <PermittedButton to="policy:publish" size="sm" variant="primary" onClick={() => setAct("enforce")}>
              Enforce now…
            </PermittedButton>
          </>
        )
      }
    >
      {sums.error && !sums.data ? <ErrorLine>{failureSentence(sums.error)}</ErrorLine> : null}
      {own ? <Results sums={own} /> : <p className="text-muted text-sm">Monitor mode is off: the rule is enforced.</p>}
      <MonitorRuleDialog
        act={act}
        rule={{ policyId, policy, event, hook }}
        results={own ? observedWords(own, "rule") : ""}
        onClose={() => setAct(null)}
      />
    </Section>
  );
}

function Results({ sums }: { sums: MonitoredRuleSums }) {
  const trpc = useTRPC();
  const nowMs = useNow(1_000);
  const { policyId, event, hook, until, by } = sums;
  const calls = useQuery(
    trpc.shadowMode.list.queryOptions({ policyId, rule: { event, hook }, onlyStricter: true, cursor: null }),
  );
  const rows = calls.data?.rows.slice(0, SHOWN) ?? [];
  return (
    <div className="flex flex-col gap-2 rounded-md border border-observe-line bg-observe-soft p-3 text-sm">
      <p className="font-semibold text-observe">Monitored only: calls that this rule denies still run.</p>
      <p>{observedWords(sums, "rule")}</p>
      <p>
        {untilWords(until, nowMs, "rule")} Chosen by {by}.
      </p>
      {rows.length === 0 ? null : (
        <ul aria-label="Calls that the rule would have stopped" className="flex flex-col gap-1">
          {rows.map((row) => (
            <Stopped key={`${row.dispatchId} ${row.revision}`} row={row} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Stopped({ row }: { row: ObservationView }) {
  const { occurredAt, dispatchId, verdict, toolName, event, agentName, isDecision } = row;
  const time = <RelativeTime at={occurredAt} />;
  return (
    <li className="flex flex-wrap items-center gap-x-2">
      <Mark tone={verdict === "deny" ? "deny" : "ask"} label={`would ${verdict}`} />
      <span>{agentName}</span>
      <code>{toolName ?? event}</code>
      <span className="ml-auto text-muted">
        {isDecision ? (
          <Link className="link" href={`/activity?open=${eventKeyText({ occurredAt, id: dispatchId })}`}>
            {time}
          </Link>
        ) : (
          time
        )}
      </span>
    </li>
  );
}
