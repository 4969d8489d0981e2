"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { DECISION_WORDS } from "@/components/judge-label/label-words";
import { CallWords } from "@/components/judges/prompts/call-words";
import { scoreText, unscoredText } from "@/components/judges/prompts/label-text";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";
import type { PublishScoreView } from "@/server/prompts/check-schema";
import type { JudgedText } from "@/server/prompts/schema";
import type { SideView, TextScoreView } from "@/server/prompts/score-schema";

/** Right and wrong on labelled calls, of a text and of the revision before it. */
export function useTextScore(promptId: string, { template, model, schema }: JudgedText) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return useQuery({
    queryKey: [...trpc.prompts.pathKey(), "score", promptId, template, model, schema],
    queryFn: ({ signal }) => client.prompts.score.mutate({ promptId, template, model, schema }, { signal }),
    retry: false,
  });
}

interface ScoreSectionProps {
  score: UseQueryResult<PublishScoreView, unknown>;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

/** The score before and after, the newly wrong calls first, and a tick where it got worse. */
export function ScoreSection({ score: { data, error }, isAccepted, onAccept }: ScoreSectionProps) {
  return (
    <Section title="Labelled calls">
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      {data ? <Score score={data} /> : error ? null : <Spinner />}
      {data?.isWorse ? (
        <Checkbox
          label={`Publish despite worse results: the draft judges ${data.after.right} calls correctly, the latest revision ${data.before.right}`}
          checked={isAccepted}
          onChange={onAccept}
        />
      ) : null}
    </Section>
  );
}

function Score({ score }: { score: TextScoreView }) {
  if (score.compared === 0)
    return (
      <p className="flex flex-wrap items-center gap-2">
        <Mark tone="unknown" label="not known" /> {unscoredText(score)}
      </p>
    );
  return (
    <>
      <p>{scoreText(score, { before: `Revision ${score.revision}`, after: "This draft" })}</p>
      {score.changed.length === 0 ? null : (
        <ul aria-label="Changed answers" className="flex max-h-56 flex-col gap-1 overflow-y-auto">
          {score.changed.map((call) => (
            <li key={call.id} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <Mark
                tone={call.score === "newly_wrong" ? "deny" : "allow"}
                label={call.score === "newly_wrong" ? "newly wrong" : "newly right"}
              />
              <CallWords call={call} />
              <span className="text-muted text-sm">
                {answerText(call.before)} before, {answerText(call.after)} now; expected{" "}
                {DECISION_WORDS[call.expected].toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const answerText = (verdict: NonNullable<SideView["verdict"]>): string =>
  verdict === "split" ? "split" : verdict === "other" ? "another answer" : DECISION_WORDS[verdict].toLowerCase();
