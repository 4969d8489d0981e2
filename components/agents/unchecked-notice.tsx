import { Notice } from "@/components/ui/notice";
import type { AgentRow } from "@/server/agents/schema";
import { clientTitle, isEnrolledByFiles } from "@/server/dialects/schema";

/** An agent that asks without a nonce: a warning where an enrolment would check answers, the fact elsewhere. */
export function UncheckedNotice({ row: { isUnchecked, client } }: { row: Pick<AgentRow, "isUnchecked" | "client"> }) {
  if (!isUnchecked) return null;
  if (client !== null && isEnrolledByFiles(client))
    return (
      <Notice kind="warning">
        {clientTitle(client)} asked without a nonce within the last 24 hours: its relay cannot tell another server's
        answer from that of this console. Enrol it again on its machine.
      </Notice>
    );
  return (
    <Notice kind="info">
      It asked over plain HTTP without a nonce within the last 24 hours, so nothing there checks that this console
      answered.
    </Notice>
  );
}
