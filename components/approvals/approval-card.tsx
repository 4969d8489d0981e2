"use client";

import { type ReactNode, useId, useMemo } from "react";
import { AnswerRequest, type AnswerRequestProps } from "@/components/approvals/answer-request";
import { actOf, isQuestion, numberOf } from "@/components/approvals/labels";
import { Remaining } from "@/components/approvals/remaining";
import { RequestFacts } from "@/components/approvals/request-facts";
import { RequestReading } from "@/components/approvals/request-reading";
import { ToolInput } from "@/components/tool-call/tool-input";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { ApprovalView } from "@/server/approvals/schema";

export interface ApprovalCardProps extends AnswerRequestProps {
  /** `li` in a list of cards; `section` as the panel of the selected row. */
  as: "li" | "section";
}

/**
 * One call to answer: the call, its agent, the reason, earlier answers to similar calls, and the effect of not
 * answering.
 */
export function ApprovalCard({ as: Frame, ...props }: ApprovalCardProps) {
  const heading = useId();
  const { request, all } = props;
  const { agentId, agentName, isWaiting, reason, expiresAt, input } = request;
  const parsed = useMemo(() => (isQuestion(request) ? null : parsedInput(input)), [request, input]);
  return (
    <Frame
      id={Frame === "li" ? numberOf(request) : undefined}
      aria-labelledby={heading}
      className="flex min-w-0 flex-col gap-3 rounded-md border bg-surface p-3 sm:p-4"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Mark tone="ask" label={isWaiting ? "Waiting" : "Retry needed"} />
        <h3 id={heading} className="min-w-0 break-words font-medium">
          {numberOf(request)} · <Link href={`/agents/${agentId}`}>{agentName}</Link> {actOf(request)}
          {all.length > 1 ? `, ${all.length} times` : ""}
        </h3>
        <span className="ml-auto text-muted text-sm">
          <Remaining until={expiresAt} isWaiting={isWaiting} />
        </span>
      </header>
      <p className="break-words">{reason}</p>
      {isQuestion(request) ? null : <CallInput request={request} parsed={parsed} />}
      <RequestFacts request={request} />
      <AnswerRequest {...props} />
      {/* Last: it is loaded a moment later, and must not move the buttons. */}
      {parsed === null ? null : <RequestReading request={request} />}
    </Frame>
  );
}

interface CallInputProps {
  request: ApprovalView;
  /** Null when the text was cut. */
  parsed: Record<string, unknown> | null;
}

function CallInput({ request, parsed }: CallInputProps): ReactNode {
  const { input, cwd } = request;
  const of = numberOf(request);
  if (parsed === null)
    return <CodeBlock code={input} language="json" label={`Start of the input of ${of}`} numbers={false} wrap />;
  return <ToolInput input={parsed} of={of} {...(cwd !== "" && { directory: cwd })} />;
}

function parsedInput(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null; // holds: an object of JSON
  } catch {
    return null;
  }
}
