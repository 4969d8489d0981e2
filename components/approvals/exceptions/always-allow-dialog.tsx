"use client";

import { useQuery } from "@tanstack/react-query";
import type { EqualRequests } from "@/components/approvals/equal-requests";
import { ExceptionForm } from "@/components/approvals/exceptions/exception-form";
import { numberOf } from "@/components/approvals/labels";
import { useAnswer } from "@/components/approvals/use-answer";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { ExceptionExample } from "@/server/exceptions/schema";

export interface AlwaysAllowDialogProps {
  group: EqualRequests;
  /** The requests still wait for an answer: an exception answers them too. */
  isOpen: boolean;
  onClose: () => void;
}

/** Makes an exception from a request, as narrow as possible unless the person widens it, and allows the request. */
export function AlwaysAllowDialog({ group: { first, all }, isOpen, onClose }: AlwaysAllowDialogProps) {
  const answer = useAnswer(all);
  const allow = () =>
    answer
      // The form was the second look.
      .mutateAsync({ verdict: "allow", words: "", confirmed: true })
      .catch((error: unknown) => toast.error(failureSentence(error)));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Always allow"
      description="Until the exception expires, these rules allow matching calls without asking. Calls that another rule denies stay denied."
    >
      {isOpen ? null : (
        <Notice kind="warning">{numberOf(first)} is already closed. The exception applies to later calls.</Notice>
      )}
      <OfferedForm
        example={{ requestId: first.id }}
        action="Always allow"
        onClose={onClose}
        onMade={isOpen ? allow : undefined}
      />
    </Dialog>
  );
}

/** Makes an exception from a recorded call that rules denied: they neither deny nor ask about its like. */
export function ExceptDenialDialog({ example, onClose }: { example: ExceptionExample; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create exception"
      description="Until the exception expires, these rules allow matching calls. Calls denied by a failure or a halt stay denied."
    >
      <OfferedForm example={example} action="Create exception" onClose={onClose} />
    </Dialog>
  );
}

interface OfferedFormProps {
  example: ExceptionExample;
  action: string;
  onClose: () => void;
  onMade?: (() => Promise<unknown>) | undefined;
}

/** The form, or the reason why there can be no exception. */
function OfferedForm({ example, ...form }: OfferedFormProps) {
  const trpc = useTRPC();
  const offer = useQuery(trpc.exceptions.offer.queryOptions(example));
  if (offer.error) return <ErrorLine>{failureSentence(offer.error)}</ErrorLine>;
  if (!offer.data) return <Skeleton className="h-40" />;
  if (offer.data.refusal !== null) return <Notice kind="warning">{offer.data.refusal}</Notice>;
  return <ExceptionForm {...form} example={example} offer={offer.data} />;
}
