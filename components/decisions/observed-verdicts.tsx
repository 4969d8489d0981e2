"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { Tone } from "@/components/ui/tone";

const TONES: Readonly<Record<string, Tone>> = { allow: "allow", ask: "ask", deny: "deny" };
const WORDS: Readonly<Record<string, string>> = { allow: "would allow", ask: "would ask", deny: "would deny" };

export interface ObservedVerdictsProps {
  occurredAt: Date;
  id: string;
}

/** The verdicts of monitored rules and policies on a recorded call. Renders nothing without them. */
export function ObservedVerdicts({ occurredAt, id }: ObservedVerdictsProps) {
  useLiveQueries(["observations"]);
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.shadowMode.ofDispatch.queryOptions({ occurredAt, id }));
  if (data.length === 0) return null;
  return (
    <Section title="Monitor mode" aside="verdicts without effect">
      <ul className="flex flex-col gap-1">
        {data.map(({ policyId, policy, rule, verdict, reason }) => (
          <li key={`${policyId} ${rule}`} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
            <Mark tone={TONES[verdict] ?? "unknown"} label={WORDS[verdict] ?? "no verdict"} />
            <span className="font-medium">{rule === "" ? "the whole policy" : rule}</span>
            <Link className="link" href={`/policies/${policyId}`}>
              {policy}
            </Link>
            {reason === "" ? null : <p className="w-full break-words text-muted">{reason}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
