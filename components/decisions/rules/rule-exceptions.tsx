"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { RuleKey } from "@/server/decisions/rules/schema";
import { exceptionTitle } from "@/server/exceptions/schema";

/** The exceptions in force that lift verdicts of a rule. Renders nothing without exceptions. */
export function RuleExceptions({ rule: { policy, event, hook } }: { rule: RuleKey }) {
  const trpc = useTRPC();
  const touching = useQuery(trpc.exceptions.touching.queryOptions({ of: "rule", policy, event, hook }));
  if (touching.error) return <ErrorLine>{failureSentence(touching.error)}</ErrorLine>;
  if (!touching.data || touching.data.length === 0) return null;
  return (
    <Section title="Exceptions in force">
      <ul aria-label="Exceptions from this rule" className="flex flex-col gap-1">
        {touching.data.map((one) => (
          <li key={one.id} className="break-words">
            <Link className="link" href="/approvals/exceptions">
              {one.number === null ? "An exception" : `EX-${one.number}`}
            </Link>{" "}
            of {one.madeBy}: {exceptionTitle(one)}; {one.lifts === "verdict" ? "not denied and not asked" : "not asked"}{" "}
            until <RelativeTime at={one.expiresAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
