import { Notice } from "@/components/ui/notice";
import type { AgentRow } from "@/server/agents/schema";
import { clientTitle, isEnrolledByFiles } from "@/server/dialects/schema";

/** An agent that asks without a nonce: a warning where an enrolment would check answers, the fact elsewhere. */
export function UncheckedNotice({ row: { isUnchecked, client } }: { row: Pick<AgentRow, "isUnchecked" | "client"> }) {
  if (!isUnchecked) return null;
  if (client !== null && isEnrolledByFiles(client))
    return (
      <Notice kind="warning">
        {clientTitle(client)} sent requests without a nonce in the last 24 hours, so its relay cannot verify that
        answers come from this console. Enrol it again on its machine.
      </Notice>
    );
  return (
    <Notice kind="info">
      The agent sent plain HTTP requests without a nonce in the last 24 hours, so it cannot verify that answers come
      from this console.
    </Notice>
  );
}
