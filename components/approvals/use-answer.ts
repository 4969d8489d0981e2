"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { plural } from "@/components/ui/format/count";
import { toast } from "@/components/ui/toast";
import type { AnswerRequest, ApprovalView } from "@/server/approvals/schema";

export type Reply =
  | { readonly verdict: "allow"; readonly words: string; readonly editedInput?: string; readonly confirmed?: boolean }
  | { readonly verdict: "deny"; readonly words: string };

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
      const calls = plural(all.length, "call");
      if (!isLast) toast.success(`Your approval is recorded. A second person must approve ${calls}`);
      else toast.success(`${calls} ${reply.verdict === "allow" ? "allowed" : "denied"}`);
    },
  });
}
