"use client";

import { BeforeAndAfter } from "@/components/compactions/before-after";
import { OutcomeMark } from "@/components/compactions/columns";
import { Effect } from "@/components/compactions/effect";
import { FullnessBar } from "@/components/compactions/fullness-bar";
import { attemptSentence, reasonSays } from "@/components/compactions/labels";
import { Steps } from "@/components/compactions/steps";
import { SummaryText } from "@/components/compactions/summary-text";
import { EventTitle } from "@/components/layout/event-title";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ErrorState } from "@/components/ui/error-state";
import { printTerm } from "@/components/ui/filter/filter-text";
import { formatCount, formatTokens } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { AttemptDetailView, SessionContextView } from "@/server/compactions/schema";
import { type EventKey, eventKeyText } from "@/server/recording/event-key-schema";
import { timelineHref } from "@/server/sessions/schema";

export interface AttemptDetailProps {
  detail: AttemptDetailView;
  /** The session around it; on its way, or not to be had. */
  around: { data: SessionContextView | undefined; failure: string | null; onRetry: () => void };
  /** The page's own address with another attempt open. */
  hrefOf: (key: EventKey) => string;
}

/** One attempt, from what became of it to the raw record. */
export function AttemptDetail({ detail, around, hrefOf }: AttemptDetailProps) {
  const { summary, summaryBytes, replacedBy, steeredBy, vetoedBecause } = detail;
  const proposed = replacedBy !== null && replacedBy !== summary ? replacedBy : null;
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="What happened" className="flex flex-col gap-3 rounded-md border bg-sunken px-4 py-3">
        <div className="flex flex-wrap items-center gap-3">
          <OutcomeMark attempt={detail} look="large" />
          <p className="min-w-48 flex-1">{attemptSentence(detail)}</p>
        </div>
        {vetoedBecause === null ? null : <p className="text-deny">{vetoedBecause}</p>}
        {detail.tokensBefore === null ? null : <FullnessBar attempt={detail} wide />}
      </section>
      {around.data ? (
        <Effect attempt={detail} around={around.data} />
      ) : around.failure === null ? (
        <Loading label="what came after">
          <SkeletonText lines={6} />
        </Loading>
      ) : (
        <ErrorState
          title="The session around this compaction could not be loaded"
          reason={around.failure}
          stillWorks="The details of the compaction are shown below."
          compact
          onRetry={around.onRetry}
        />
      )}
      <BeforeAndAfter around={around.data}>
        {summary === null ? null : (
          <SummaryText
            title={replacedBy === summary ? "Summary supplied by a hook" : "Summary"}
            text={summary}
            bytes={summaryBytes}
          />
        )}
      </BeforeAndAfter>
      {proposed === null ? null : <SummaryText title="Summary supplied by a hook" text={proposed} bytes={null} />}
      {steeredBy === null ? null : (
        <Section title="Added to the summary prompt" aside="by a hook">
          <CodeBlock code={steeredBy} label="Added to the summary prompt" numbers={false} wrap />
        </Section>
      )}
      <Section title="Step by step">
        <Steps detail={detail} />
      </Section>
      <Section title="Facts" actions={<Neighbours detail={detail} hrefOf={hrefOf} />}>
        <Facts detail={detail} />
      </Section>
      <Section title="Raw">
        <div className="flex flex-col gap-2">
          {detail.steps.map((step) => (
            <details key={step.id}>
              <summary className="text-sm">
                <EventTitle event={step.event} />
              </summary>
              <div className="mt-2 flex flex-col gap-2">
                <CodeBlock code={step.input} language="json" label={`Input of ${step.event}`} wrap />
                {step.origin === "report" ? null : (
                  <CodeBlock code={step.answer} language="json" label={`Answer to ${step.event}`} wrap />
                )}
              </div>
            </details>
          ))}
        </div>
      </Section>
    </div>
  );
}

function Neighbours({ detail, hrefOf }: Omit<AttemptDetailProps, "around">) {
  const { ordinal, ofSession, previous, next } = detail;
  const link = (key: EventKey | null, label: string) =>
    key === null ? null : (
      <Button size="sm" variant="ghost" asChild>
        <Link href={hrefOf(key)} scroll={false} data-open={eventKeyText(key)}>
          {label}
        </Link>
      </Button>
    );
  return (
    <>
      <span className="text-faint text-sm">
        {ofSession === 1 ? "only attempt of its session" : `${ordinal} of ${ofSession} in its session`}
      </span>
      {link(previous, "Previous")}
      {link(next, "Next")}
    </>
  );
}

function Facts({ detail }: { detail: AttemptDetailView }) {
  const { agentName, sessionId, reason, inputTokens, outputTokens, contextLimit, durationMs } = detail;
  const unknown = <Missing reason="Not reported." />;
  const filter = (key: string, value: string) => (
    <Link
      className="link break-all"
      href={`/activity/compactions?${new URLSearchParams({ q: printTerm({ key, value }) })}`}
    >
      {value}
    </Link>
  );
  const costs = (
    <Link
      className="link"
      href={`/spend?${new URLSearchParams({ view: "calls", range: "all", q: printTerm({ key: "session", value: sessionId }) })}`}
    >
      its model calls
    </Link>
  );
  return (
    <KeyValue
      items={[
        { label: "Began", value: <ExactTime at={detail.occurredAt} /> },
        {
          label: "Took",
          value:
            detail.events.length === 1 ? undefined : durationMs === null ? (
              <Missing reason="Not ended yet." />
            ) : (
              formatDuration(durationMs)
            ),
        },
        { label: "Reason", value: reason === "" ? unknown : `${reason}: ${reasonSays(reason)}` },
        { label: "Input", value: inputTokens === null ? unknown : `${formatCount(inputTokens)} tokens` },
        { label: "Output", value: outputTokens === null ? unknown : `${formatCount(outputTokens)} tokens` },
        { label: "Context limit", value: contextLimit === null ? unknown : `${formatTokens(contextLimit)} tokens` },
        { label: "Agent", value: filter("agent", agentName) },
        {
          label: "Session",
          value:
            sessionId === "" ? (
              "no session"
            ) : (
              <>
                <span className="font-mono text-sm">{filter("session", sessionId)}</span> · {costs} ·{" "}
                <Link className="link" href={timelineHref(detail, detail)}>
                  its timeline
                </Link>
              </>
            ),
        },
      ]}
    />
  );
}
