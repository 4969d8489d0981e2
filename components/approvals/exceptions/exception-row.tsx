"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { exceptionTitle } from "@/components/approvals/exceptions/labels";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { ExceptionView } from "@/server/exceptions/schema";

export interface ExceptionRowProps {
  exception: ExceptionView;
  isInForce: boolean;
  onEnd: () => void;
}

/** One exception: its state first, then the calls, the rules that do not ask, by whom and why, and its end. */
export function ExceptionRow({ exception, isInForce, onEnd }: ExceptionRowProps) {
  const { command, input, rules, madeBy, madeAt, reason, requestNumber } = exception;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-26 shrink-0">
        {isInForce ? <Mark tone="ask" label="In force" /> : <Mark tone="canceled" label="Ended" />}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{exceptionTitle(exception)}</p>
        {command === null ? <code className="line-clamp-2 break-all text-muted text-sm">{input}</code> : null}
        <p className="break-words text-muted text-sm">
          {rules.map(({ policyId, policy, path }, at) => (
            <span key={path}>
              {at > 0 ? " and " : "No longer asked by "}
              <Link className="link" href={`/policies/${policyId}`}>
                {policy}
              </Link>
              , {path}
            </span>
          ))}
        </p>
        <p className="break-words text-muted text-sm">
          {madeBy}, <RelativeTime at={madeAt} />, from QD-{requestNumber}: {reason}
        </p>
        <p className="break-words text-muted text-sm">
          <Ending exception={exception} isInForce={isInForce} />
        </p>
      </div>
      {isInForce ? (
        <PermittedButton to="approval:decide" size="sm" onClick={onEnd}>
          End…
        </PermittedButton>
      ) : null}
    </li>
  );
}

function Ending({ exception, isInForce }: { exception: ExceptionView; isInForce: boolean }) {
  const { expiresAt, endedAt, endedBy, endReason } = exception;
  if (endedAt !== null)
    return (
      <>
        Ended by {endedBy}, <RelativeTime at={endedAt} />: {endReason}
      </>
    );
  return (
    <>
      {isInForce ? "Ends by itself " : "Ended by itself "}
      <RelativeTime at={expiresAt} />
    </>
  );
}
