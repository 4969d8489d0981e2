import { decisionHref, numberOf, peopleSentence } from "@/components/approvals/labels";
import { Precedent } from "@/components/approvals/precedent";
import { HookPlace } from "@/components/layout/hook-place";
import { PersonName } from "@/components/principals/person-name";
import { useAging } from "@/components/ui/format/clock";
import { formatDuration } from "@/components/ui/format/duration";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import type { ApprovalView } from "@/server/approvals/schema";
import { timelineHref } from "@/server/sessions/schema";

/** The facts of one request, with links to its session, its decision and the policies that asked. */
export function RequestFacts({ request }: { request: ApprovalView }) {
  const { agentId, principal, cwd, sessionId, risk, riskClass, askedBy, askedOf, isWhole } = request;
  return (
    <KeyValue
      items={[
        { label: "Person", value: <PersonName principal={principal} /> },
        { label: "Directory", value: cwd === "" ? undefined : cwd, mono: true },
        {
          label: "Session",
          value:
            sessionId === "" ? undefined : (
              <Link href={timelineHref({ agentId, sessionId })} className="link break-all">
                {sessionId}
              </Link>
            ),
        },
        {
          label: "Decision",
          value: (
            <Link href={decisionHref(request)} className="link">
              {numberOf(request)} in Calls
            </Link>
          ),
        },
        { label: "Asked by", value: askedBy.length === 0 ? undefined : <AskedBy hooks={askedBy} /> },
        { label: "Risk", value: riskClass },
        { label: "Reach", value: risk === "" ? undefined : risk },
        { label: "Sent to", value: askedOf === null ? undefined : <AskedOf request={request} /> },
        { label: "Earlier decisions", value: <Precedent id={request.id} /> },
        {
          label: "Hidden input",
          value: isWhole ? undefined : "This page hides masked secrets and the end of a long input.",
        },
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
    <span role="timer" className="tabular-nums">
      {askedOf}
      {remindedAt === null ? "" : ", reminded"}
      {next}
    </span>
  );
}

function AskedBy({ hooks }: { hooks: ApprovalView["askedBy"] }) {
  return hooks.map(({ policy, policyId, revision, path, name }, at) => (
    <span key={`${policy} ${path}`}>
      {at === 0 ? "" : "; "}
      {policyId === null ? (
        policy
      ) : (
        <Link className="link" href={`/policies/${policyId}`}>
          {policy}
        </Link>
      )}{" "}
      revision {revision}, {name === "" ? null : `“${name}”, `}
      <HookPlace path={path} />
    </span>
  ));
}
