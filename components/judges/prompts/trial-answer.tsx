"use client";

import { useQuery } from "@tanstack/react-query";
import { LabelBar } from "@/components/judge-label/label-bar";
import { expectedWords } from "@/components/judge-label/label-words";
import { CallCost } from "@/components/judges/cost";
import { causeLabel, verdictLook } from "@/components/judges/labels";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatDuration } from "@/components/ui/format/duration";
import { KeyValue } from "@/components/ui/key-value";
import { Mark } from "@/components/ui/mark";
import type { TrialCallView, TrialDetailView } from "@/server/prompts/schema";

export interface TrialAnswerProps {
  detail: TrialDetailView;
  call: TrialCallView;
  onNext: (() => void) | undefined;
}

/** One answer of a trial with its question, and its label by the viewer. */
export function TrialAnswer({ detail, call, onNext }: TrialAnswerProps) {
  const { trial } = detail;
  const { verdict, place, repeat } = call;
  if (verdict === null) return <p className="text-muted">Not asked{trial.state === "running" ? " yet" : ""}.</p>;
  return (
    <div className="flex flex-col gap-5">
      <section aria-label="Verdict" className="flex flex-col gap-2 rounded-md border bg-sunken px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <Mark {...verdictLook(verdict)} look="large" />
          {call.cause === null ? null : <span className="font-medium text-error">{causeLabel(call.cause)}</span>}
        </div>
        <p className="break-words">{call.reason}</p>
      </section>
      <Question detail={detail} call={call} />
      <LabelBar subject={{ kind: "trial", trialId: trial.id, place, repeat }} verdict={verdict} onNext={onNext} />
      <KeyValue
        items={[
          { label: "Took", value: call.latencyMs === null ? undefined : formatDuration(call.latencyMs) },
          { label: "Cost", value: <CallCost call={{ pricing: call.pricing ?? "unanswered", nano: call.nano }} /> },
          {
            label: "Tokens",
            value: call.inputTokens === null ? undefined : `${call.inputTokens} in, ${call.outputTokens ?? 0} out`,
          },
          { label: "Expected", value: call.expected === null ? undefined : expectedWords(call.expected) },
        ]}
      />
    </div>
  );
}

/** The question as it was rendered for the recorded call: expanded, so that a call is read before it is labelled. */
function Question({ detail, call }: { detail: TrialDetailView; call: TrialCallView }) {
  const client = useTRPCClient();
  const { template, model, schema } = detail.text;
  const [occurredAt, id] = [call.occurredAt, call.id];
  const preview = useQuery({
    queryKey: ["prompts", "question", detail.trial.id, call.place],
    queryFn: ({ signal }) =>
      client.prompts.preview.mutate(
        // Holds: a recorded event's name; the server reads it again.
        { template, model, schema, event: call.event as "pre_tool_use", call: { occurredAt, id } },
        { signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { prompt, system, problem } = preview.data ?? { prompt: null, system: null, problem: null };
  return (
    <section aria-label="The question" className="flex flex-col gap-2">
      {call.excerpt === null ? null : (
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="text-muted text-sm">{call.tool ?? call.event}</span>
          <code className="min-w-0 break-words">{call.excerpt}</code>
        </p>
      )}
      {preview.error ? <ErrorLine>{failureSentence(preview.error)}</ErrorLine> : null}
      {preview.error ? null : (
        <pre className="max-h-80 min-h-16 overflow-auto whitespace-pre-wrap break-words rounded-md border bg-sunken p-3 text-sm">
          {prompt ?? problem?.message ?? "…"}
        </pre>
      )}
      {system === null ? null : (
        <details>
          <summary className="text-sm">System instructions</summary>
          <pre className="mt-2 max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-md border bg-sunken p-3 text-sm">
            {system}
          </pre>
        </details>
      )}
    </section>
  );
}
