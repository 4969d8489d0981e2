"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Cost } from "@/components/decisions/rules/columns";
import { errorsOf } from "@/components/decisions/rules/figures";
import { OutcomeList } from "@/components/decisions/rules/outcome-list";
import { PLACEHOLDER_RULE_KEY } from "@/components/decisions/rules/placeholder-rule-key";
import { RuleExceptions } from "@/components/decisions/rules/rule-exceptions";
import { RuleMonitor } from "@/components/decisions/rules/rule-monitor";
import { RuleOwner } from "@/components/decisions/rules/rule-owner";
import { RuleRevisions } from "@/components/decisions/rules/rule-revisions";
import { RuleTimes } from "@/components/decisions/rules/rule-times";
import { GatewayStatus } from "@/components/layout/gateway-status";
import type { ListDrawerProps } from "@/components/layout/record-drawer";
import type { TimeRange } from "@/components/layout/time-range/range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, formatShare } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { KeyValue } from "@/components/ui/key-value";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { parseRuleKey, type RuleCard } from "@/server/decisions/rules/schema";

export interface RuleDrawerProps extends ListDrawerProps {
  card: RuleCard | undefined;
  range: TimeRange;
}

/** One rule: its history, and its newest denials, failures and overturned verdicts. */
export function RuleDrawer({ card, range, open, ...moves }: RuleDrawerProps) {
  const trpc = useTRPC();
  const rule = parseRuleKey(open);
  const { from, to } = range;
  const query = useQuery({
    ...trpc.rules.get.queryOptions({ from, to, rule: rule ?? PLACEHOLDER_RULE_KEY }),
    enabled: rule !== null,
    placeholderData: keepPreviousData,
  });
  return (
    <Drawer
      {...moves}
      open={open !== null}
      width="lg"
      title={rule?.hook ?? "Rule"}
      subtitle={
        rule
          ? `${rule.policy === "" ? "the agent's command line" : rule.policy} · ${eventTitle(rule.event)} (${rule.event})`
          : null
      }
    >
      <div className="flex flex-col gap-6">
        {card ? <Figures card={card} /> : null}
        {rule === null || rule.policy === "" ? null : <RuleRevisions rule={rule} range={range} />}
        {card ? <RuleOwner card={card} /> : null}
        {card ? <RuleMonitor card={card} /> : null}
        {rule === null ? null : <RuleExceptions rule={rule} />}
        {rule === null ? (
          <ErrorState title="The link leads to no rule" reason="The link may be incomplete." compact />
        ) : query.isError && !query.data ? (
          <ErrorState
            title="The rule's figures could not be loaded"
            reason={failureSentence(query.error)}
            stillWorks={<GatewayStatus />}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : query.data ? (
          <>
            <RuleTimes detail={query.data} range={range} />
            <OutcomeList
              title="Latest calls that the rule denied or sent to a person"
              none="The rule denied no call and sent none to a person."
              rows={query.data.refusals}
            />
            <OutcomeList title="Last errors" none="The rule had no errors." rows={query.data.errors} />
            <OutcomeList
              title="Latest stopped calls that a person then allowed"
              none="No person allowed a call that this rule denied or sent to a person."
              rows={query.data.overturned}
            />
          </>
        ) : (
          <Loading label="the rule" className="flex flex-col gap-6">
            <Skeleton className="h-40" />
            <Skeleton className="h-40" />
          </Loading>
        )}
      </div>
    </Drawer>
  );
}

function Figures({ card }: { card: RuleCard }) {
  const { outcomes, latency, overturned, fired } = card;
  const of = (count: number, whole: number, what: string) =>
    count === 0 ? "0" : `${formatCount(count)} · ${formatShare(count, whole)} of ${formatCount(whole)} ${what}`;
  const ms = (value: number | null) => (value === null ? "—" : formatDuration(value));
  return (
    <Section title="In this range">
      <KeyValue
        items={[
          { label: "Runs", value: fired === 0 ? "never" : formatCount(fired) },
          { label: "Denied", value: of(outcomes.denied, fired, "runs") },
          { label: "Asked a person", value: of(outcomes.asked, fired, "runs") },
          { label: "Allowed", value: of(outcomes.allowed, fired, "runs") },
          { label: "Modified", value: of(outcomes.acted, fired, "runs") },
          { label: "No decision", value: of(outcomes.silent, fired, "runs") },
          {
            label: "Overturned",
            value:
              overturned.denied + overturned.asked === 0
                ? "0"
                : [
                    ...(overturned.denied > 0 ? [of(overturned.denied, outcomes.denied, "denials")] : []),
                    ...(overturned.asked > 0 ? [of(overturned.asked, outcomes.asked, "questions")] : []),
                  ].join("; "),
          },
          {
            label: "Errors",
            value: `${of(errorsOf(card), fired, "runs")}${outcomes.timed_out > 0 ? `, ${formatCount(outcomes.timed_out)} of them timeouts` : ""}`,
          },
          {
            label: "Failed and allowed",
            value: outcomes.tolerated === 0 ? undefined : of(outcomes.tolerated, fired, "runs"),
          },
          { label: "Not started", value: outcomes.skipped === 0 ? undefined : formatCount(outcomes.skipped) },
          {
            label: "Runs canceled by the agent",
            value: outcomes.canceled === 0 ? undefined : formatCount(outcomes.canceled),
          },
          { label: "p50 · p95 · p99", value: `${ms(latency.p50)} · ${ms(latency.p95)} · ${ms(latency.p99)}` },
          { label: "Cost", value: card.judge ? <Cost judge={card.judge} /> : undefined },
          { label: "Matcher", value: card.matcher ?? undefined, mono: true },
        ]}
      />
    </Section>
  );
}
