"use client";

import { Bird } from "lucide-react";
import { withdrawalReason } from "@/components/policies/rollout/comparison-text";
import { useNow } from "@/components/ui/format/clock";
import { clockTime } from "@/components/ui/format/instant";
import { Link } from "@/components/ui/link";
import type { PolicyDetailView } from "@/server/policies/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

type Withdrawal = NonNullable<PolicyDetailView["withdrawal"]>;

/** The last canary, which its limits withdrew, with some of the calls that decided it. */
export function WithdrawalStrip({ policy, withdrawal }: { policy: PolicyDetailView; withdrawal: Withdrawal }) {
  const nowMs = useNow(60_000);
  const { revision, at, limits, comparison, calls } = withdrawal;
  const inForce = policy.liveRevision === 0 ? "no revision is in force" : `revision ${policy.liveRevision} is in force`;
  return (
    <section
      aria-label="Withdrawn canary"
      className="flex shrink-0 items-start gap-3 border-deny-line border-b bg-deny-soft px-4 py-2.5 md:px-6"
    >
      <Bird aria-hidden className="mt-0.5 size-5 shrink-0 text-deny" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-semibold text-base text-deny">
          Canary of revision {revision} withdrawn{nowMs === null ? "" : ` at ${clockTime(at, nowMs)}`}; {inForce} for
          all its agents.
        </p>
        <p>It passed a limit: {withdrawalReason(limits, comparison)}</p>
        {calls.length > 0 ? (
          <p className="flex flex-wrap gap-x-2">
            Calls that decided it:
            {calls.map((call, index) => (
              <Link
                key={call.id}
                className="link"
                href={`/activity?open=${eventKeyText({ id: call.id, occurredAt: call.at })}`}
              >
                {index + 1}
                <span className="sr-only"> of {calls.length}</span>
              </Link>
            ))}
          </p>
        ) : null}
      </div>
    </section>
  );
}
