"use client";

import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { toleratedText } from "@/components/policies/check/tolerated-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";
import type { CheckView } from "@/server/policies/schema";
import type { PolicyReviewView } from "@/server/reviews/schema";

interface MoveNoticeProps {
  isMove: boolean;
  failures: ToleratedFailuresView | undefined;
}

/** The move of a policy to the newest profile, with the gates that deny from then on. */
export function MoveNotice({ isMove, failures }: MoveNoticeProps) {
  const gates = failures?.gates ?? [];
  if (!isMove && gates.length === 0) return null;
  return (
    <Notice kind="info" className="items-start">
      <p>
        {isMove
          ? `The draft is in profile ${NEWEST_PROFILE}. Below are the changes, and the backtest on recorded calls. Nothing is published yet.`
          : "Gates of the revision in force allow the call when they fail:"}
      </p>
      <ul className="list-disc pl-4">
        {gates.slice(0, GATES_SHOWN).map(({ gate }) => (
          <li key={gate} className="break-words">
            {gate}: {toleratedText(failures, gate)}
          </li>
        ))}
        {gates.length > GATES_SHOWN ? <li>and {gates.length - GATES_SHOWN} more</li> : null}
      </ul>
    </Notice>
  );
}
const GATES_SHOWN = 5;

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
