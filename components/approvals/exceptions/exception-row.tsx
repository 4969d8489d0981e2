"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { HookPlace } from "@/components/layout/hook-place";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type ExceptionView, exceptionTitle } from "@/server/exceptions/schema";

export interface ExceptionRowProps {
  exception: ExceptionView;
  isInForce: boolean;
  onEnd: () => void;
  onReview: () => void;
}

/** One exception: its state first, then the calls, the rules that do not ask, by whom and why, and its end. */
export function ExceptionRow({ exception, isInForce, onEnd, onReview }: ExceptionRowProps) {
  const { number, lifts, command, input, rules, madeBy, madeAt, reason, requestNumber } = exception;
  const needsReview = isReviewDue(exception);
  return (
    <li
      id={number === null ? undefined : `EX-${number}`}
      className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2"
    >
      <span className="w-26 shrink-0">
        {isInForce ? (
          <Mark tone={lifts === "verdict" ? "deny" : "ask"} label="In force" />
        ) : needsReview ? (
          <Mark tone="ask" label="To review" />
        ) : (
          <Mark tone="canceled" label="Ended" />
        )}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">
          {number === null ? "" : `EX-${number}: `}
          {exceptionTitle(exception)}
        </p>
        {exception.problem === null ? null : (
          <p className="break-words text-deny text-sm">
            This exception cannot be read ({exception.problem}), so it has no effect. End it and create a new one.
          </p>
        )}
        {command === null ? <code className="line-clamp-2 break-all text-muted text-sm">{input}</code> : null}
        <p className="break-words text-muted text-sm">
          {rules.map(({ policyId, policy, path, hook }, at) => (
            <span key={path}>
              {at > 0 ? " and " : lifts === "verdict" ? "Skips " : "Skips questions of "}
              <Link className="link" href={`/policies/${policyId}`}>
                {policy}
              </Link>
              {hook === undefined ? null : `, “${hook}”`}, <HookPlace path={path} />
            </span>
          ))}
        </p>
        <p className="break-words text-muted text-sm">
          {madeBy}, <RelativeTime at={madeAt} />, from{" "}
          {requestNumber === null ? "a denied call" : `QD-${requestNumber}`}: {reason}
        </p>
        <p className="break-words text-muted text-sm">
          <Ending exception={exception} isInForce={isInForce} />
        </p>
      </div>
      {isInForce ? (
        <PermittedButton to="approval:decide" size="sm" onClick={onEnd}>
          End…
        </PermittedButton>
      ) : needsReview ? (
        <PermittedButton to="approval:decide" size="sm" onClick={onReview}>
          {exception.isOwn ? "Review yours…" : "Review…"}
        </PermittedButton>
      ) : null}
    </li>
  );
}

function Ending({ exception, isInForce }: { exception: ExceptionView; isInForce: boolean }) {
  const { expiresAt, endedAt, endedBy, endReason, reviewedAt, reviewedBy, reviewWords } = exception;
  if (endedAt !== null)
    return (
      <>
        Ended by {endedBy}, <RelativeTime at={endedAt} />: {endReason}
      </>
    );
  return (
    <>
      {isInForce ? "Expires " : "Expired "}
      <RelativeTime at={expiresAt} />
      {reviewedAt === null ? null : (
        <>
          . Reviewed by {reviewedBy}, <RelativeTime at={reviewedAt} />: {reviewWords}
        </>
      )}
    </>
  );
}

/** True if the exception lapsed and has not been reviewed yet. */
const isReviewDue = ({ lapsedAt, reviewedAt }: ExceptionView): boolean => lapsedAt !== null && reviewedAt === null;
