import { MessageSquare, User } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { plural } from "@/components/ui/format/count";
import type { FollowUpMark as Mark } from "@/server/follow-ups/follow-up-mark-schema";

/** The follow-up of a call in a list: its assignee, the number of its comments, its first keyword. */
export function FollowUpMark({ mark }: { mark: Mark }) {
  const { assignee, comments, keywords } = mark;
  const [first, ...more] = keywords;
  return (
    <span title={followUpText(mark) ?? undefined} className="flex min-w-0 items-center gap-1.5 overflow-hidden">
      {assignee === null ? null : (
        <Badge icon={User} look="outline" className="min-w-0 shrink">
          <span className="truncate">
            <span className="sr-only">Assigned to</span> {assignee.name}
          </span>
        </Badge>
      )}
      {comments === 0 ? null : (
        <Badge icon={MessageSquare} look="outline">
          <span aria-hidden>{comments}</span>
          <span className="sr-only">{plural(comments, "comment")}</span>
        </Badge>
      )}
      {first === undefined ? null : (
        <Badge className="min-w-0 shrink">
          <span className="truncate">
            {first}
            {more.length === 0 ? "" : ` +${more.length}`}
          </span>
        </Badge>
      )}
    </span>
  );
}

/** The same as one line of text, for copies. */
export const followUpText = (mark: Mark | null): string | null =>
  mark === null
    ? null
    : [
        ...(mark.assignee === null ? [] : [mark.assignee.name]),
        ...(mark.comments === 0 ? [] : [plural(mark.comments, "comment")]),
        ...mark.keywords,
      ].join(", ");
