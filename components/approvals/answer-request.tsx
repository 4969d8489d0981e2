"use client";

import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { allowLabel, consequenceOf, isQuestion, notForReader } from "@/components/approvals/labels";
import { useAnswer } from "@/components/approvals/use-answer";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Kbd } from "@/components/ui/kbd";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { ApprovalView } from "@/server/approvals/schema";

const DenyForm = loadWhenOpened(() => import("@/components/approvals/deny-form").then((one) => one.DenyForm));
const EditForm = loadWhenOpened(() => import("@/components/approvals/edit-form").then((one) => one.EditForm));

export interface AnswerRequestProps {
  request: ApprovalView;
  /** It and its equals: they get one answer. */
  all: readonly ApprovalView[];
  /** Asks for an exception. */
  onAlways: () => void;
  /** True if `a` and `d` answer it: it is the only request that the page shows whole. */
  hasKeys: boolean;
}

type Mode = "buttons" | "confirm" | "deny" | "edit";

/** The answers that the reader may give, one step at a time. */
export function AnswerRequest(props: AnswerRequestProps) {
  const [mode, setMode] = useState<Mode>("buttons");
  const { request, all } = props;
  const answer = useAnswer(all);
  const { isGranted } = usePermission("approval:decide");
  const { needsConfirmation } = request;
  const reason = notForReader(request, isGranted);
  if (reason !== null) return <Notice>{reason}</Notice>;
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
  const onAllow = needsConfirmation ? () => setMode("confirm") : allow;
  return <Buttons {...props} busy={answer.isPending} onAllow={onAllow} onMode={setMode} />;
}

interface ButtonsProps extends AnswerRequestProps {
  busy: boolean;
  onAllow: () => void;
  onMode: (mode: Mode) => void;
}

function Buttons({ request, all, onAlways, hasKeys, busy, onAllow, onMode }: ButtonsProps) {
  const { isWaiting, isWhole, peopleNeeded, ownAllowance, needsConfirmation } = request;
  const isYesNo = isQuestion(request);
  const canEdit = isWaiting && isWhole && peopleNeeded === 1 && all.length === 1;
  const canAllow = ownAllowance !== "same_person";
  useAnswerKeys({ hasKeys: hasKeys && !busy, canAllow, onAllow, onDeny: () => onMode("deny") });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canAllow ? (
        <PermittedButton to="approval:decide" variant="primary" busy={busy} onClick={onAllow}>
          {allowLabel(request)}
          {needsConfirmation ? "…" : ""}
          <KeyCap keys="a" isShown={hasKeys} />
        </PermittedButton>
      ) : (
        <Notice className="basis-full">
          An account linked to you approved, so you cannot be the second approver. Verify your address (by mail or
          sign-on), or let another person answer.
        </Notice>
      )}
      {canEdit ? (
        <PermittedButton to="approval:decide" onClick={() => onMode("edit")}>
          Edit…
        </PermittedButton>
      ) : null}
      {peopleNeeded === 1 && !isYesNo ? (
        <PermittedButton to="approval:decide" onClick={onAlways}>
          Always allow…
        </PermittedButton>
      ) : null}
      <PermittedButton to="approval:decide" variant="danger" onClick={() => onMode("deny")}>
        {isYesNo ? "No…" : "Deny…"}
        <KeyCap keys="d" isShown={hasKeys} />
      </PermittedButton>
      {ownAllowance === "none" ? <p className="basis-full text-muted text-sm">{consequenceOf(request)}</p> : null}
    </div>
  );
}

function KeyCap({ keys, isShown }: { keys: string; isShown: boolean }) {
  if (!isShown) return null;
  return (
    <span aria-hidden className="inline-flex">
      <Kbd keys={keys} inverse />
    </span>
  );
}

interface AnswerKeys {
  readonly hasKeys: boolean;
  readonly canAllow: boolean;
  readonly onAllow: () => void;
  readonly onDeny: () => void;
}

const GROUP = "Calls to answer";

/** `a` allows and `d` asks for the reason of a denial. A key that is held down answers nothing. */
function useAnswerKeys({ hasKeys, canAllow, onAllow, onDeny }: AnswerKeys): void {
  const { isGranted } = usePermission("approval:decide");
  const once = (act: () => void) => (event: KeyboardEvent) => (event.repeat ? undefined : act());
  const enabled = hasKeys && isGranted;
  useHotkey("a", once(onAllow), { label: "Allow the call", group: GROUP, enabled: enabled && canAllow });
  useHotkey("d", once(onDeny), { label: "Deny the call", group: GROUP, enabled });
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
