"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { useMemo } from "react";
import { EventTitle } from "@/components/layout/event-title";
import { withEventTitles } from "@/components/layout/hook-place";
import { HookStep } from "@/components/policies/playground/hook-step";
import { callInText } from "@/components/tool-call/call-of";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code/code-block";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { toneLook } from "@/components/ui/tone";
import { verdictWords } from "@/server/decisions/schema";
import type { PlaygroundReport } from "@/server/playground/schema";

const ReadRules = loadWhenOpened(() => import("@/components/tool-call/read-rules").then((one) => one.ReadRules));

export interface RunReportProps {
  report: PlaygroundReport;
  input: string;
  /** The text that ran, to show its rules; null if it is not available. */
  source: string | null;
}

/** The outcome of a run: the verdict with its reason, each hook in order, and the answer to the agent. */
export function RunReport({ report, input, source }: RunReportProps) {
  const call = useMemo(() => callInText(input), [input]);
  const ran = report.hooks.filter((hook) => hook.ran !== null);
  const endMs = Math.max(...ran.map(({ ran }) => (ran ? ran.startedMs + ran.durationMs : 0)), 0.001);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Verdict report={report} />
      {report.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      <Section
        title="Hooks"
        aside={`${ran.length} of ${plural(report.hooks.length, "hook")} ran at “${eventTitle(report.event)}”`}
      >
        {report.hooks.length === 0 ? (
          <p className="text-muted">
            This policy has no hook on <EventTitle event={report.event} />.
          </p>
        ) : (
          <ol className="flex flex-col overflow-hidden rounded-md border">
            {report.hooks.map((hook, at) => (
              <HookStep
                key={`${hook.policy} ${hook.path}`}
                hook={hook}
                place={at + 1}
                endMs={endMs}
                texts={report.texts}
                before={payloadBefore(report, at, input)}
                rules={
                  hook.type === "rules" && hook.isSubject && call !== null && source !== null ? (
                    <ReadRules call={call} agent={null} source={source} path={hook.path} />
                  ) : null
                }
              />
            ))}
          </ol>
        )}
        {report.hooksLeftOut > 0 ? (
          <p className="text-faint text-sm">{plural(report.hooksLeftOut, "more hook")} not run.</p>
        ) : null}
      </Section>
      <Section title="Answer" aside="The JSON that an agent would receive">
        <CodeBlock
          label="Answer"
          language="json"
          code={indented(report.answer.text)}
          numbers={false}
          wrap
          maxHeight={240}
        />
      </Section>
    </div>
  );
}

function Verdict({ report }: { report: PlaygroundReport }) {
  const { verdict, missing, event } = report;
  const words =
    verdict === "none"
      ? { tone: "unknown" as const, word: report.result.allowed ? "No decision" : "Not allowed" }
      : verdict === "unknown"
        ? { tone: "unknown" as const, word: "Incomplete" }
        : verdictWords(verdict);
  const { message, reason, systemMessage } = report.result;
  const told = [message || reason, systemMessage].filter(
    (text) => text !== "" && !report.says.includes(text.trim().replace(/\.$/, "")),
  );
  return (
    <section
      aria-label="Verdict"
      className={cn("flex flex-col gap-2 rounded-md border p-3", toneLook[words.tone].tag, "text-text")}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Mark tone={words.tone} label={words.word} look="large" />
        <Badge look="outline">{event}</Badge>
        <span className="ml-auto text-muted text-sm">{formatDuration(report.durationMs)}</span>
      </div>
      <p className="break-words">{withEventTitles(report.says)}</p>
      {told.length > 0 && verdict !== "unknown" ? (
        <blockquote className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3">
          {told.join("\n")}
        </blockquote>
      ) : null}
      {missing.length > 0 ? (
        <ul className="flex flex-col gap-1 text-sm">
          {missing.map(({ path, name, why }) => (
            <li key={path}>
              <strong className="font-semibold">{name}</strong>: {why}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** The payload as the hooks before this one left it: what its rewrite is compared with. */
function payloadBefore(report: PlaygroundReport, at: number, input: string): string {
  for (const hook of report.hooks.slice(0, at).reverse()) {
    const rewritten = hook.ran?.step?.rewritten;
    if (rewritten !== null && rewritten !== undefined) return report.texts[rewritten]?.text ?? "";
  }
  try {
    const { tool_input, messages, tool_response } = JSON.parse(input);
    const payload =
      report.event === "before_llm_call"
        ? messages
        : report.event === "tool_response_transform"
          ? tool_response
          : tool_input;
    return typeof payload === "string" ? payload : JSON.stringify(payload ?? {}, null, 2);
  } catch {
    return "";
  }
}

function indented(json: string): string {
  try {
    return printExactJson(parseExactJson(json), 2);
  } catch {
    return json;
  }
}
