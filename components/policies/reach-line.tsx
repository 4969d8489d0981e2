"use client";

import { useQuery } from "@tanstack/react-query";
import { matcherLabel } from "@/components/policies/form/matcher-label";
import { LastRan } from "@/components/policies/last-ran";
import { reachText } from "@/components/policies/reach-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import type { PolicyReachView, RuleReach } from "@/server/decisions/rules/policy-reach-schema";
import type { PolicyDetailView } from "@/server/policies/schema";

const POLL_MS = 60_000;

/**
 * The reach of the policy in force: the agents that asked, the hooks that ran, and the last time; amber if it binds
 * agents and no event reaches it.
 */
export function ReachLine({ policy }: { policy: PolicyDetailView }) {
  const trpc = useTRPC();
  const isInForce = policy.liveRevision > 0 && policy.bound > 0;
  const reach = useQuery({
    ...trpc.rules.reach.queryOptions({ policyId: policy.id }),
    enabled: isInForce,
    refetchInterval: POLL_MS,
  });
  if (!isInForce) return null;
  return (
    <section aria-label="Reach" className="min-h-9 shrink-0 border-line border-b px-4 py-1.5 text-sm md:px-6">
      {reach.data ? (
        <details>
          <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
            {reach.data.isUnreached ? <Mark tone="ask" label="not reached" /> : null}
            <span>{reachText(reach.data)}</span>
            <span>
              <LastRan last={reach.data.lastRan} publishedAt={reach.data.publishedAt} prefix="Last ran: " />
            </span>
          </summary>
          <Rules reach={reach.data} />
        </details>
      ) : reach.error ? (
        <ErrorLine>{failureSentence(reach.error)}</ErrorLine>
      ) : (
        <span className="text-muted">Counting the calls of the last 24 hours…</span>
      )}
    </section>
  );
}

function Rules({ reach }: { reach: PolicyReachView }) {
  return (
    <div className="flex max-h-72 flex-col gap-2 overflow-y-auto py-2">
      {reach.isCut ? <Notice>Only the newest 5,000 calls of the last 24 hours are counted.</Notice> : null}
      <table className="w-full text-left">
        <thead className="text-muted">
          <tr>
            <th className="py-1 pr-3 font-normal">Rule</th>
            <th className="py-1 pr-3 font-normal">Event</th>
            <th className="py-1 pr-3 text-right font-normal">Asked</th>
            <th className="py-1 pr-3 text-right font-normal">Reached</th>
            <th className="py-1 pr-3 text-right font-normal">Ran</th>
            <th className="py-1 font-normal">Last ran</th>
          </tr>
        </thead>
        <tbody>
          {reach.rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same in all that is shown.
            <RuleRow key={at} rule={rule} publishedAt={reach.publishedAt} />
          ))}
        </tbody>
      </table>
      {reach.rulesLeftOut > 0 ? <p className="text-muted">and {formatCount(reach.rulesLeftOut)} more rules</p> : null}
    </div>
  );
}

function RuleRow({ rule, publishedAt }: { rule: RuleReach; publishedAt: Date | null }) {
  return (
    <tr className="border-line border-t align-top">
      <td className="py-1 pr-3">
        <span className="flex flex-wrap items-center gap-2">
          {rule.name}
          {rule.reached === 0 ? <Mark tone="ask" label="not reached" /> : null}
        </span>
      </td>
      <td className="py-1 pr-3 text-muted">
        <code>{rule.event}</code>
        {rule.matcher ? (
          <>
            {" "}
            on <code>{matcherLabel(rule.matcher)}</code>
          </>
        ) : null}
        {rule.lane === "default" ? null : ", early check"}
      </td>
      <td className="py-1 pr-3 text-right">{formatCount(rule.calls)}</td>
      <td className="py-1 pr-3 text-right">{formatCount(rule.reached)}</td>
      <td className="py-1 pr-3 text-right">{formatCount(rule.ran)}</td>
      <td className="py-1">
        <LastRan last={rule.lastRan} publishedAt={publishedAt} />
      </td>
    </tr>
  );
}
