"use client";

import { useMutation } from "@tanstack/react-query";
import { actOf, isQuestion, numberOf } from "@/components/approvals/labels";
import { inputPreview } from "@/components/approvals/waiting-call";
import { useTRPC } from "@/components/trpc/client";
import { toast } from "@/components/ui/toast";
import type { AnswerRequest, ApprovalView } from "@/server/approvals/schema";

export type Reply =
  | { readonly verdict: "allow"; readonly words: string; readonly editedInput?: string; readonly confirmed?: boolean }
  | { readonly verdict: "deny"; readonly words: string };

/** "QD-42", "QD-42 and QD-43", "QD-42 and 3 equal calls". */
function namesOfCalls([first, second, ...more]: readonly ApprovalView[]): string {
  if (first === undefined) return "No call";
  if (second === undefined) return numberOf(first);
  if (more.length === 0) return `${numberOf(first)} and ${numberOf(second)}`;
  return `${numberOf(first)} and ${more.length + 1} equal calls`;
}

/** "ci wants to use shell: ls", so that the answered call is recognised. */
function descriptionOf(request: ApprovalView): string {
  const act = `${request.agentName} ${actOf(request)}`;
  return isQuestion(request) ? act : `${act}: ${inputPreview(request)}`;
}

/** Gives equal requests the same answer, one after the other; the first failure ends it, and its caller shows it. */
export function useAnswer(all: readonly ApprovalView[]) {
  const trpc = useTRPC();
  const one = useMutation(trpc.approvals.answer.mutationOptions());
  return useMutation({
    async mutationFn(reply: Reply) {
      let isLast = true;
      for (const { id } of all) {
        const asked: AnswerRequest = { id, ...reply };
        isLast = (await one.mutateAsync(asked)).isLast;
      }
      return { reply, isLast };
    },
    onSuccess({ reply, isLast }) {
      const calls = namesOfCalls(all);
      const description = all[0] && descriptionOf(all[0]);
      if (!isLast)
        toast.success(`Your approval of ${calls} is recorded. A second person must approve`, { description });
      else toast.success(`${calls} ${reply.verdict === "allow" ? "allowed" : "denied"}`, { description });
    },
  });
}
