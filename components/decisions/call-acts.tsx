"use client";

import { DisabledWithoutPermission } from "@/components/access/permission";
import { StopButton } from "@/components/layout/stop/stop-button";
import { CallEvidence } from "@/components/tool-call/evidence-action";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { DecisionDetail } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";
import { timelineHref } from "@/server/sessions/schema";

/** The acts on a call, at the foot of its drawer. */
export function CallActs({ detail }: { detail: DecisionDetail }) {
  const { agentId, agentName, sessionId } = detail;
  const agent = { id: agentId, name: agentName };
  return (
    <>
      <CallEvidence of={detail} />
      {canBeExcepted(detail) ? (
        <DisabledWithoutPermission to="approval:decide">
          {(isDisabled) =>
            isDisabled ? (
              <Button disabled>Add an exception…</Button>
            ) : (
              <Button asChild>
                <Link href={`/approvals/exceptions?except=${encodeURIComponent(eventKeyText(detail))}`}>
                  Add an exception…
                </Link>
              </Button>
            )
          }
        </DisabledWithoutPermission>
      ) : null}
      {sessionId === "" ? null : (
        <>
          <StopButton target={{ scope: "session", agent, sessionId }} label="Stop session…" />
          <Button asChild>
            <Link href={timelineHref(detail, detail)}>Open session</Link>
          </Button>
        </>
      )}
    </>
  );
}

/** True for a denial by a rule: an exception can lift it. */
const canBeExcepted = ({ kind, verdict, tool, hooks }: DecisionDetail): boolean =>
  kind === "gate" && verdict === "deny" && tool !== "" && hooks.some(({ said }) => said === "deny" || said === "block");
