"use client";

import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { formatCount } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";

interface IgnoredNoticeProps {
  /** Null: nothing is said. */
  found: { readonly count: number; readonly isWhole: boolean } | null;
}

export function IgnoredNotice({ found }: IgnoredNoticeProps) {
  const href = useCallsHref();
  if (found === null) return null;
  const count = `${found.isWhole ? "" : "At least "}${formatCount(found.count)}`;
  return (
    <Notice
      kind="danger"
      className="mb-3 shrink-0"
      action={
        <Link href={href([{ key: "outcome", value: "denied_but_ran" }])} className="underline">
          Show {found.count === 1 ? "it" : "them"}
        </Link>
      }
    >
      {count} denied {found.count === 1 ? "call" : "calls"} ran: the agent did not obey the denial.
    </Notice>
  );
}
