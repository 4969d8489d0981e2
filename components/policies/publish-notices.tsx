"use client";

import { sentence } from "@/components/policies/check/sentence";
import { type EventChange, eventChangeWords } from "@/components/policies/labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { CheckView, PolicyProblem } from "@/server/policies/schema";
import type { PolicyReviewView } from "@/server/reviews/schema";

/** Names the policies that a newer profile makes stricter too. */
export function TightenedNotice({ view, tightened }: { view: CheckView | null; tightened: readonly string[] }) {
  if (tightened.length === 0 || !view) return null;
  return (
    <Notice kind="warning">
      This text follows profile {view.profile}, and an agent's policies all follow the newest: {tightened.join(", ")}{" "}
      will be read by it too. More of their failures then deny.
    </Notice>
  );
}

/** The effect of publishing, and the events whose hooks change in number. */
export function PublishEffect({ words, changes }: { words: readonly string[]; changes: readonly EventChange[] }) {
  return (
    <div className="flex flex-col gap-1">
      {words.map((words) => (
        <p key={words}>{words}</p>
      ))}
      {changes.length > 0 ? (
        <ul className="list-disc pl-4 text-muted">
          {changes.map((change) => (
            <li key={change.event}>
              <code>{eventChangeWords(change)}</code>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface ProblemListProps {
  problems: readonly PolicyProblem[];
  onChoose: (problem: PolicyProblem) => void;
}

/** The problems that keep the text from being published, each a way to its line. */
export function ProblemList({ problems, onChoose }: ProblemListProps) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border">
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.message}`}>
          <button
            type="button"
            className="inset-focus flex w-full gap-2 px-3 py-1.5 text-left hover:bg-hover"
            onClick={() => onChoose(problem)}
          >
            <span className="w-14 shrink-0 text-faint text-sm leading-5">line {problem.line}</span>
            <span className="min-w-0">{sentence(problem.message)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FourEyesNoticeProps {
  status: PolicyReviewView | undefined;
  isRefused: boolean;
  onSend: () => void;
}

/** The approval of another person that the publication has or needs. */
export function FourEyesNotice({ status, isRefused, onSend }: FourEyesNoticeProps) {
  const review = status?.current;
  if (review?.state === "approved")
    return <Notice>{review.decidedName} approved the draft. It is published as exactly that text.</Notice>;
  if (status?.fourEyes !== true || isRefused) return null;
  return review?.state === "open" ? (
    <Notice kind="warning">
      This policy asks for four eyes, and this text waits for review: another person has to approve it first.
    </Notice>
  ) : (
    <Notice
      kind="warning"
      action={
        <Button size="sm" onClick={onSend}>
          Send for review…
        </Button>
      }
    >
      This policy asks for four eyes: another person has to approve exactly this text first, also when it was published
      before.
    </Notice>
  );
}
