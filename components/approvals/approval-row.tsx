"use client";

import { useMutation } from "@tanstack/react-query";
import { PermittedButton } from "@/components/access/permitted-button";
import { canWithdraw, endingOf, isQuestion, namesOf, numberOf } from "@/components/approvals/labels";
import { PersonName } from "@/components/principals/person-name";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { toast } from "@/components/ui/toast";
import type { ApprovalView } from "@/server/approvals/schema";

/** One request that is closed: its end first, then the call, and by whom. */
export function ApprovalRow({ request }: { request: ApprovalView }) {
  const now = useNow(5_000) ?? request.askedAt.getTime();
  const trpc = useTRPC();
  const withdraw = useMutation(
    trpc.approvals.withdraw.mutationOptions({
      onSuccess: () => toast.success(`${numberOf(request)} withdrawn`),
      onError: (error) => toast.error(failureSentence(error)),
    }),
  );
  const { tone, word } = endingOf(request, now);
  const { agentId, agentName, principal, toolName, input, words, closedAt, state, editedInput } = request;
  return (
    <li id={numberOf(request)} className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-26 shrink-0">
        <Mark tone={tone} label={word} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate">
          <span className="font-medium">{numberOf(request)}</span> <Link href={`/agents/${agentId}`}>{agentName}</Link>{" "}
          · {isQuestion(request) ? "asked" : toolName} <code className="text-muted text-sm">{input}</code>
        </p>
        <p className="break-words text-muted text-sm">
          {state === "lapsed" ? "No answer" : `By ${namesOf(request)}`}
          {closedAt === null ? null : (
            <>
              , <RelativeTime at={closedAt} />
            </>
          )}
          {words === "" ? "" : `: ${words}`}
        </p>
        <p className="text-muted text-sm">
          For <PersonName principal={principal} />
        </p>
        {editedInput === null ? null : (
          <DiffBlock before={pretty(input)} after={pretty(editedInput)} label="What ran instead" maxHeight={200} />
        )}
      </div>
      {canWithdraw(request, now) ? (
        <PermittedButton
          to="approval:decide"
          size="sm"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate({ id: request.id })}
        >
          Take back
        </PermittedButton>
      ) : null}
    </li>
  );
}

/** JSON text over lines; text that is cut, as it is. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
