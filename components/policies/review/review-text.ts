/** The state of a review, in words. */
import type { Tone } from "@/components/ui/tone";
import type { ReviewState, ReviewView } from "@/server/reviews/schema";

export const REVIEW_WORDS: Record<ReviewState, { readonly label: string; readonly tone: Tone }> = {
  open: { label: "waits for review", tone: "ask" },
  approved: { label: "approved", tone: "allow" },
  changes_requested: { label: "changes requested", tone: "deny" },
  withdrawn: { label: "withdrawn", tone: "canceled" },
  published: { label: "published", tone: "allow" },
  outdated: { label: "out of date", tone: "canceled" },
};

/** The review's state and its next step, in one sentence. */
export function reviewStatusText(review: ReviewView): string {
  const author = review.isMine ? "you" : review.authorName;
  const who = review.decidedName ?? "a person";
  switch (review.state) {
    case "open":
      return review.whyNot === null
        ? `Sent by ${author}. You can review the draft.`
        : `Sent by ${author}. A person who has not edited the draft must approve it.`;
    case "approved":
      return `${who} approved this draft. It can be published. Any change requires another review.`;
    case "changes_requested":
      return `${who} requested changes. Send the changed text again.`;
    case "outdated":
      return "The draft was changed after it was sent for review. Send the draft again.";
    case "withdrawn":
      return "Withdrawn from review.";
    case "published":
      return `Published as revision ${review.revision ?? "?"}.`;
  }
}
