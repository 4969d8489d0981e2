"use client";

import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { ReactNode } from "react";
import { CallTimeline } from "@/components/decisions/call-timeline";
import { FollowUp } from "@/components/decisions/follow-up/follow-up";
import { GateTitle } from "@/components/decisions/gate-title";
import { HookList } from "@/components/decisions/hook-list";
import { DecidingJudge } from "@/components/decisions/judged-by";
import { ObservedVerdicts } from "@/components/decisions/observed-verdicts";
import { OpenInPlayground } from "@/components/decisions/open-in-playground";
import { ReadRecorded, useRecordedCall } from "@/components/decisions/read-recorded";
import { hasSubject, Subject } from "@/components/decisions/subject";
import { VerdictCard } from "@/components/decisions/verdict-card";
import { decidingHook } from "@/components/decisions/why";
import { CallPerson } from "@/components/principals/call-person";
import { ToolInput } from "@/components/tool-call/tool-input";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code/code-block";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { formatBytes } from "@/components/ui/format/bytes";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { CallRecordView, DecisionDetail as Detail } from "@/server/decisions/schema";
import { timelineHref } from "@/server/sessions/schema";

export interface DecisionDetailProps {
  detail: Detail;
  hrefOf: (record: CallRecordView) => string;
}

const pretty = (value: unknown): string => printExactJson(value, 2);

/** One decision, from the verdict to the raw record. */
export function DecisionDetail({ detail, hrefOf }: DecisionDetailProps) {
  const call = useRecordedCall(detail);
  return (
    <div className="flex flex-col gap-6">
      <VerdictCard detail={detail} />
      <DecidingJudge detail={detail} />
      {detail.callRecords.length > 1 ? (
        <Section title="This tool call" aside={plural(detail.callRecords.length, "record")}>
          <CallTimeline callRecords={detail.callRecords} currentId={detail.id} hrefOf={hrefOf} />
        </Section>
      ) : null}
      <OpenInPlayground detail={detail} />
      <Section title="Input" aside={detail.tool === "" ? null : <code>{detail.tool}</code>}>
        {detail.toolInput === null && hasSubject(detail.event) ? (
          <Subject of={detail} />
        ) : (
          <ToolInput input={detail.toolInput} />
        )}
      </Section>
      <ReadRecorded call={call} />
      <FollowUp of={detail} />
      {detail.updatedInput === null ? null : (
        <Section title="Rewritten" aside="what the tool was given instead">
          <DiffBlock label="arguments" before={pretty(detail.toolInput ?? {})} after={pretty(detail.updatedInput)} />
        </Section>
      )}
      {detail.updatedToolResponse === null ? null : (
        <Section title="Response rewritten" aside="what the model was given instead">
          <DiffBlock label="response" before={detail.toolResponse ?? ""} after={detail.updatedToolResponse} />
        </Section>
      )}
      <Section title="Hooks" aside={hooksAside(detail)}>
        {detail.hooks.length === 0 ? (
          <p className="text-muted">{noHooks(detail)}</p>
        ) : (
          <HookList
            hooks={detail.hooks}
            deciding={decidingHook(detail.verdict, detail.hooks)}
            call={call}
            agent={detail.agentName}
            of={detail}
          />
        )}
      </Section>
      <ObservedVerdicts occurredAt={detail.occurredAt} id={detail.id} />
      <Section title="Facts">
        <KeyValue items={factsOf(detail)} />
      </Section>
      <Section title="Raw">
        <div className="flex flex-col gap-2">
          <Raw label="Input" stored={detail.input} />
          {detail.origin === "report" ? null : <Raw label="Answer" stored={detail.answer} />}
        </div>
      </Section>
    </div>
  );
}

const hooksAside = (detail: Detail): string =>
  detail.hooks.length === 0
    ? ""
    : `${plural(detail.hooks.length, "hook")} in ${formatDuration(detail.durationUs / 1000)}`;

function noHooks({ kind, origin }: Detail): string {
  if (origin === "report") return "The agent reported the event after it happened, so no hook ran.";
  if (kind === "final") return "Policy hooks do not run on final decisions.";
  return "No policy hook applied to this event.";
}

function factsOf(detail: Detail) {
  const { sessionId } = detail;
  return [
    { label: "When", value: <ExactTime at={detail.occurredAt} /> },
    {
      label: "Agent",
      value: (
        <Link className="link" href={`/activity?q=${filterText("agent", detail.agentName)}`}>
          {detail.agentName}
        </Link>
      ),
    },
    { label: "Person", value: <CallPerson principal={detail.principalFacts} /> },
    {
      label: "Session",
      mono: sessionId !== "",
      value:
        sessionId === "" ? (
          "outside of any session"
        ) : (
          <span>
            <Link className="link break-all" href={`/activity?q=${filterText("session", sessionId)}`}>
              {sessionId}
            </Link>{" "}
            <Link className="link font-sans" href={timelineHref(detail, detail)}>
              Open timeline
            </Link>
          </span>
        ),
    },
    {
      label: "Event",
      value: <GateTitle event={detail.event} lane={detail.lane} />,
    },
    { label: "Tool call", value: detail.toolUseId ?? undefined, mono: true },
    {
      label: "Source",
      value:
        detail.origin === "dispatch" ? (
          "live request"
        ) : (
          <>
            report, received <ExactTime at={detail.receivedAt} />
          </>
        ),
    },
    { label: "Took", value: detail.origin === "dispatch" ? formatDuration(detail.durationUs / 1000) : undefined },
    { label: "Revision", value: revisionOf(detail) },
    { label: "Dispatch", value: detail.id, mono: true },
  ];
}

function revisionOf({ revision, revisionNow }: Detail): ReactNode {
  if (revision === "") return "none: a reported event has no answer";
  if (revision === "none") return "none was in force";
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code>{revision}</code>
      {revisionNow === null ? null : revisionNow === revision ? (
        <Badge look="accent">still in force</Badge>
      ) : (
        <Badge>since replaced</Badge>
      )}
    </span>
  );
}

const filterText = (key: string, value: string): string =>
  encodeURIComponent(/^[^\s"\\]+$/.test(value) ? `${key}:${value}` : `${key}:"${value.replace(/(["\\])/g, "\\$1")}"`);

function Raw({ label, stored }: { label: string; stored: Detail["input"] }) {
  const size = formatBytes(stored.bytes);
  return (
    <details>
      <summary className="text-sm">
        {label} <span className="text-faint">{stored.isCut ? `${size}, the beginning is shown` : size}</span>
      </summary>
      <div className="mt-2">
        <CodeBlock
          code={stored.isCut ? stored.text : indented(stored.text)}
          language={stored.isCut ? "text" : "json"}
          label={label}
        />
      </div>
    </details>
  );
}

/** JSON with its digits and keys as stored, indented; text that is no JSON stays as it is. */
function indented(json: string): string {
  try {
    return pretty(parseExactJson(json));
  } catch {
    return json;
  }
}
