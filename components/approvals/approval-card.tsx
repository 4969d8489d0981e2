"use client";

import { type ReactNode, useId, useMemo, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { actOf, allowLabel, consequenceOf, isQuestion, numberOf, peopleSentence } from "@/components/approvals/labels";
import { Precedent } from "@/components/approvals/precedent";
import { RequestReading } from "@/components/approvals/request-reading";
import { useAnswer } from "@/components/approvals/use-answer";
import { ToolInput } from "@/components/tool-call/tool-input";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { useAging } from "@/components/ui/format/clock";
import { formatDuration } from "@/components/ui/format/duration";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { ApprovalView } from "@/server/approvals/schema";
import { timelineHref } from "@/server/sessions/schema";

const DenyForm = loadWhenOpened(() => import("@/components/approvals/deny-form").then((one) => one.DenyForm));
const EditForm = loadWhenOpened(() => import("@/components/approvals/edit-form").then((one) => one.EditForm));

export interface ApprovalCardProps {
  request: ApprovalView;
  /** It and its equals: they get one answer. */
  all: readonly ApprovalView[];
  /** Asks for an exception. */
  onAlways: () => void;
}

/**
 * One call to answer: the call, its agent, the reason, earlier answers to similar calls, and the effect of not
 * answering.
 */
export function ApprovalCard({ request, all, onAlways }: ApprovalCardProps) {
  const heading = useId();
  const { agentId, agentName, isWaiting, reason, expiresAt, input } = request;
  const parsed = useMemo(() => (isQuestion(request) ? null : parsedInput(input)), [request, input]);
  return (
    <li
      id={numberOf(request)}
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
      {isQuestion(request) ? null : <CallInput input={input} parsed={parsed} of={numberOf(request)} />}
      <Facts request={request} />
      <Answer request={request} all={all} onAlways={onAlways} />
      {/* Last: it is loaded a moment later, and must not move the buttons. */}
      {parsed === null ? null : <RequestReading request={request} input={parsed} />}
    </li>
  );
}

interface CallInputProps {
  input: string;
  /** Null when the text was cut. */
  parsed: Record<string, unknown> | null;
  /** The number of the request. */
  of: string;
}

function CallInput({ input, parsed, of }: CallInputProps): ReactNode {
  if (parsed === null)
    return <CodeBlock code={input} language="json" label={`Input of ${of}, truncated`} numbers={false} wrap />;
  return <ToolInput input={parsed} of={of} />;
}

function parsedInput(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null; // holds: an object of JSON
  } catch {
    return null;
  }
}

function Facts({ request }: { request: ApprovalView }) {
  const { agentId, cwd, sessionId, risk, riskClass, askedBy, askedOf, isWhole } = request;
  const by = askedBy.map(({ policy, revision, path }) => `${policy} revision ${revision}, ${path}`);
  return (
    <KeyValue
      items={[
        { label: "In", value: cwd === "" ? undefined : cwd, mono: true },
        {
          label: "Session",
          value:
            sessionId === "" ? undefined : (
              <Link href={timelineHref({ agentId, sessionId })} className="break-all">
                {sessionId}
              </Link>
            ),
        },
        { label: "Asked by", value: by.length === 0 ? undefined : by.join("; ") },
        { label: "Risk", value: riskClass },
        { label: "Reach", value: risk === "" ? undefined : risk },
        { label: "Sent to", value: askedOf === null ? undefined : <AskedOf request={request} /> },
        { label: "Earlier", value: <Precedent id={request.id} /> },
        { label: "Hidden", value: isWhole ? undefined : "Part of the input: a secret, or the end." },
        { label: "People", value: peopleSentence(request) },
      ]}
    />
  );
}

/** The list that is asked now, its reminder, and the list after it. */
function AskedOf({ request: { askedOf, remindedAt, escalation } }: { request: ApprovalView }) {
  const next = useAging(1_000, (now) => {
    if (escalation === null) return "";
    const ms = Math.max(escalation.at.getTime() - now, 0);
    return `; escalates to ${escalation.to} in ${formatDuration(Math.ceil(ms / 1_000) * 1_000)}`;
  });
  return (
    <span className="tabular-nums">
      {askedOf}
      {remindedAt === null ? "" : ", reminded"}
      {next}
    </span>
  );
}

function Remaining({ until, isWaiting }: { until: Date; isWaiting: boolean }) {
  const left = useAging(1_000, (now) => {
    const ms = until.getTime() - now;
    if (ms <= 0) return "Expired";
    return `${isWaiting ? "Denied" : "Lapses"} in ${formatDuration(Math.ceil(ms / 1_000) * 1_000)} without an answer`;
  });
  return left === null ? null : <span className="tabular-nums">{left}</span>;
}

type Mode = "buttons" | "confirm" | "deny" | "edit";

function Answer({ request, all, onAlways }: ApprovalCardProps) {
  const [mode, setMode] = useState<Mode>("buttons");
  const answer = useAnswer(all);
  const { isOwn, isRouted, askedOf, isWaiting, isWhole, peopleNeeded, ownAllowance, needsConfirmation } = request;
  if (isOwn)
    return <Notice>You, or an account linked to you, created a key of this agent. Another person must answer.</Notice>;
  if (isRouted)
    return <Notice>{askedOf} answers this call first. You can answer when it escalates to one of your lists.</Notice>;
  if (ownAllowance === "given") return <Notice>You approved this call. Your approval can&apos;t be undone.</Notice>;
  const back = () => setMode("buttons");
  const allow = () =>
    answer.mutate(
      { verdict: "allow", words: "", ...(needsConfirmation && { confirmed: true }) },
      { onError: (error) => toast.error(failureSentence(error)) },
    );
  if (mode === "confirm") return <Confirm request={request} busy={answer.isPending} onAllow={allow} onCancel={back} />;
  if (mode === "deny")
    return <DenyForm onCancel={back} onDeny={(words) => answer.mutateAsync({ verdict: "deny", words })} />;
  if (mode === "edit")
    return (
      <EditForm
        input={request.input}
        onCancel={back}
        onAllow={(editedInput) =>
          // Reading and editing it was the second look.
          answer.mutateAsync({ verdict: "allow", words: "", editedInput, confirmed: true })
        }
      />
    );
  const canEdit = isWaiting && isWhole && peopleNeeded === 1 && all.length === 1;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {ownAllowance === "same_person" ? (
        <Notice className="basis-full">
          An account linked to you approved, so you cannot be the second approver. Verify your address (by mail or
          sign-on), or let another person answer.
        </Notice>
      ) : (
        <PermittedButton
          to="approval:decide"
          variant="primary"
          busy={answer.isPending}
          onClick={needsConfirmation ? () => setMode("confirm") : allow}
        >
          {allowLabel(request)}
          {needsConfirmation ? "…" : ""}
        </PermittedButton>
      )}
      {canEdit ? (
        <PermittedButton to="approval:decide" onClick={() => setMode("edit")}>
          Edit…
        </PermittedButton>
      ) : null}
      {peopleNeeded === 1 && !isQuestion(request) ? (
        <PermittedButton to="approval:decide" onClick={onAlways}>
          Always allow…
        </PermittedButton>
      ) : null}
      <PermittedButton to="approval:decide" variant="danger" onClick={() => setMode("deny")}>
        {isQuestion(request) ? "No…" : "Deny…"}
      </PermittedButton>
      {ownAllowance === "none" ? <p className="basis-full text-muted text-sm">{consequenceOf(request)}</p> : null}
    </div>
  );
}

interface ConfirmProps {
  request: ApprovalView;
  busy: boolean;
  onAllow: () => void;
  onCancel: () => void;
}

/** The second press. The focus is on Cancel, so that a held key allows nothing. */
function Confirm({ request: { toolName, riskClass, agentName, moreNeeded }, busy, onAllow, onCancel }: ConfirmProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="basis-full">
        The risk of this call is {riskClass}. Allow {agentName} to use {toolName || "the tool"} with exactly this input?
      </p>
      <Button autoFocus onClick={onCancel}>
        Back
      </Button>
      <PermittedButton to="approval:decide" variant="danger" busy={busy} onClick={onAllow}>
        {moreNeeded > 1 ? "Yes, approve" : "Yes, allow"}
      </PermittedButton>
    </div>
  );
}
