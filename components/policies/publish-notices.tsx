"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { CheckView } from "@/server/policies/schema";
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
