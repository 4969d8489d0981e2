"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatShare } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";

/** The injection score of each judge of the saved draft, where the workspace requires one. */
export function JudgeScores({ policyId }: { policyId: string }) {
  const trpc = useTRPC();
  const scores = useQuery(trpc.policies.judgeScores.queryOptions({ policyId }, { refetchOnMount: "always" }));
  if (scores.error) return <ErrorLine>{failureSentence(scores.error)}</ErrorLine>;
  if (!scores.data || scores.data.min === null || scores.data.judges.length === 0) return null;
  const { min, judges } = scores.data;
  return (
    <Section title="Injection scores" aside={`required: ${min} %`}>
      <ul aria-label="Injection scores" className="flex flex-col gap-1">
        {judges.map(({ place, name, score, isMet }) => (
          <li key={place} className="flex flex-wrap items-center gap-x-3">
            <Mark tone={isMet ? "allow" : "deny"} label={isMet ? "met" : "not met"} />
            <span className="min-w-0 break-words font-medium">{name}</span>
            <span className="text-muted">
              {score === null
                ? "no finished injection test of exactly this judge"
                : `${formatShare(score.hits, score.of) ?? "0 %"}: ${score.hits} of ${score.of} harmful calls refused`}
            </span>
          </li>
        ))}
      </ul>
      {judges.some(({ isMet }) => !isMet) ? (
        <p className="text-sm">
          The publication is refused below {min} %. Run the injection test on the page of the{" "}
          <Link className="underline" href="/policies/prompts">
            judge prompt
          </Link>
          .
        </p>
      ) : null}
    </Section>
  );
}
