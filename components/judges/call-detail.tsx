"use client";

import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import type { ReactNode } from "react";
import { JudgeActs } from "@/components/judge-label/judge-acts";
import { CallCost } from "@/components/judges/cost";
import { verdictLook } from "@/components/judges/labels";
import { CodeBlock } from "@/components/ui/code/code-block";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { causeWords, type JudgeCallDetail, wasSent } from "@/server/judges/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** One question to a judge: the result, the exact text in both directions, and the cost and time. */
export function CallDetail({ detail, onNext }: { detail: JudgeCallDetail; onNext?: (() => void) | undefined }) {
  const { prompt, reply, system, cause } = detail;
  const isSent = wasSent(cause, detail.provider);
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Verdict" className="flex flex-col gap-2 rounded-md border bg-sunken px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <Mark {...verdictLook(detail.verdict)} look="large" />
          {cause === null ? null : <span className="font-medium text-error">{causeWords(cause).label}</span>}
        </div>
        {cause === null ? null : <p className="text-muted">{causeWords(cause).says}</p>}
        {detail.failure === null ? null : <p className="break-words font-mono text-error text-sm">{detail.failure}</p>}
        {detail.isDecision ? (
          <Link className="link text-sm" href={`/activity?open=${eventKeyText(detail)}`}>
            Decision
          </Link>
        ) : null}
      </section>
      <Words
        title={isSent ? "Asked" : "Prompt (not sent)"}
        text={prompt}
        missing="The judge failed before the question to the model was ready."
      />
      <JudgeActs call={detail} event={detail.event} verdict={detail.verdict} label={detail.label} onNext={onNext} />
      <Words title="Reply" text={reply} missing={isSent ? "No reply." : "Not sent."} />
      <Section title="Facts">
        <KeyValue items={factsOf(detail)} />
      </Section>
      {system === null ? null : (
        <details>
          <summary className="text-sm">
            {detail.evaluator === null ? "System instructions" : "The evaluator's instructions"}
          </summary>
          <div className="mt-2">
            <CodeBlock code={system} label="Instructions" numbers={false} wrap />
          </div>
        </details>
      )}
    </div>
  );
}

function Words({ title, text, missing }: { title: string; text: string | null; missing: string }) {
  return (
    <Section title={title}>
      {text === null ? (
        <p className="text-muted">{missing}</p>
      ) : text === "" ? (
        <p className="text-muted">Empty.</p>
      ) : (
        <CodeBlock code={text} label={title} wrap maxHeight={320} />
      )}
    </Section>
  );
}

/** The connection and the provider's own name of the model; for a reused verdict, the cache. */
const answeredBy = ({ provider, answeredBy: model }: JudgeCallDetail): string | undefined => {
  if (provider === VERDICT_CACHE) return `verdict cache (first by ${model ?? "unknown model"})`;
  return model === null ? undefined : provider === "" ? model : `${model} over ${provider}`;
};

const skippedText = (skipped: JudgeCallDetail["skipped"]): string | undefined =>
  skipped === null ? undefined : `${skipped.provider}: ${causeWords(skipped.cause).label}`;

function factsOf(detail: JudgeCallDetail): { label: string; value: ReactNode | undefined; mono?: boolean }[] {
  const { inputTokens, outputTokens, latencyMs } = detail;
  return [
    { label: "When", value: <ExactTime at={detail.occurredAt} /> },
    { label: "Judge", value: `${detail.policy} revision ${detail.revision}, ${detail.hook}` },
    { label: "Prompt", value: detail.label ?? undefined, mono: true },
    { label: "About", value: detail.tool ?? detail.event, mono: true },
    { label: "Evaluator", value: detail.evaluator ?? undefined, mono: true },
    { label: "Model", value: detail.model, mono: true },
    { label: "Answered by", value: answeredBy(detail), mono: true },
    { label: "Not answered by", value: skippedText(detail.skipped) },
    { label: "Schema", value: detail.schema ?? undefined, mono: true },
    {
      label: "Tokens",
      value:
        inputTokens === null || outputTokens === null
          ? undefined
          : `${plural(inputTokens, "token")} in, ${plural(outputTokens, "token")} out`,
    },
    { label: "Cost", value: <CallCost call={detail} /> },
    { label: "Took", value: latencyMs === null ? undefined : formatDuration(latencyMs) },
  ];
}
