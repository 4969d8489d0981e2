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
          ? `The draft uses profile ${NEWEST_PROFILE}. Review the changes and the backtest on recorded calls, then publish.`
          : "In the revision in force, these gates let a call pass when the gate itself fails:"}
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
      This draft uses profile {view.profile}. All policies of an agent use the newest profile, so it also applies to{" "}
      {tightened.join(", ")}. More of their failures will deny.
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
    return <Notice>{review.decidedName} approved the draft. Exactly this version is published.</Notice>;
  if (status?.fourEyes !== true || isRefused) return null;
  return review?.state === "open" ? (
    <Notice kind="warning">
      This policy requires a second approver. The draft is in review: another person must approve it.
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
      This policy requires a second approver: another person must approve exactly this draft, even if it was published
      before.
    </Notice>
  );
}
