"use client";

import { templateProblem } from "@quarterdeck/go-template/syntax/parse";
import { EVENTS, type EventName } from "@quarterdeck/hooks/contract/events";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useDeferredValue, useMemo, useState } from "react";
import { LatencyFigure, SpendFigure } from "@/components/judges/prompts/figure-cells";
import { PreviewPanel } from "@/components/judges/prompts/preview-panel";
import { PromptModelField } from "@/components/judges/prompts/prompt-model-field";
import { eventOption } from "@/components/layout/event-title";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { type JudgedText, type PromptDetailView, REPLY_FORMS } from "@/server/prompts/schema";
import { parseEventKey } from "@/server/recording/event-key-schema";

const TemplateEditor = dynamic(() => import("@/components/judges/prompts/template-editor"), {
  ssr: false,
  loading: () => (
    <Loading label="the editor" className="p-4">
      <SkeletonText lines={10} />
    </Loading>
  ),
});

interface WriteViewProps {
  prompt: PromptDetailView;
  text: JudgedText;
  onText: (text: JudgedText) => void;
  onSave: () => void;
  onPublish: () => void;
}

const EVENT_NAMES = Object.keys(EVENTS) as EventName[]; // holds: its own keys
const newestOf = (event: EventName) => ({ event, tool: null, agent: null, only: "all", judge: null }) as const;
/** Radix has no empty value. */
const PLAIN = "plain";

/** The prompt editor, next to the rendered prompt for one recorded call. */
export function WriteView({ prompt, text, onText, onSave, onPublish }: WriteViewProps) {
  const trpc = useTRPC();
  const connections = useQuery(trpc.judges.connections.queryOptions());
  const [event, setEvent] = useQueryState("event", parseAsStringLiteral(EVENT_NAMES).withDefault("pre_tool_use"));
  const [named] = useQueryState("call", parseAsString);
  // Read once: a choice of a call in the preview does not change the list.
  const [including] = useState(() => parseEventKey(named) ?? undefined);
  const recorded = useQuery(
    trpc.prompts.recorded.queryOptions({ promptId: prompt.id, ...newestOf(event), limit: 50, including }),
  );
  const keys = useMemo(
    () => [...new Map((recorded.data ?? []).flatMap((call) => call.keys.map((key) => [key.name, key]))).values()],
    [recorded.data],
  );
  const problem = templateProblem(text.template);
  // Drawn in pauses of typing: a key does not wait for fifty calls and a long text.
  const shown = useDeferredValue(text);
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <div className="flex min-w-0 flex-1 flex-col max-lg:flex-none lg:border-line lg:border-r">
        <div className="grid shrink-0 grid-cols-1 gap-3 border-line border-b p-4 sm:grid-cols-3 md:px-6">
          <PromptModelField
            value={text.model}
            onChange={(model) => onText({ ...text, model })}
            connections={connections.data ?? []}
          />
          <Field label="Reply">
            <Select
              value={text.schema === "" ? PLAIN : text.schema}
              onChange={(schema) => onText({ ...text, schema: schema === PLAIN ? "" : schema })}
              options={REPLY_FORMS.map((name) => ({
                value: name === "" ? PLAIN : name,
                label: name === "" ? "plain text" : name,
              }))}
            />
          </Field>
          <Field label="Event">
            <Select value={event} onChange={(next) => void setEvent(next)} options={EVENT_NAMES.map(eventOption)} />
          </Field>
          <LiveFigures prompt={prompt} />
        </div>
        <div className="min-h-80 flex-1 max-lg:h-80 max-lg:flex-none">
          <TemplateEditor
            text={text.template}
            onChange={(template) => onText({ ...text, template })}
            event={event}
            keys={keys}
            onSave={onSave}
            onPublish={onPublish}
          />
        </div>
        <p
          role="status"
          aria-label="Template check"
          className="shrink-0 border-line border-t px-4 py-1.5 text-sm md:px-6"
        >
          {problem === undefined ? (
            <span className="text-muted">Valid template.</span>
          ) : (
            <span className="text-deny">{problem.charAt(0).toUpperCase() + problem.slice(1)}</span>
          )}
        </p>
      </div>
      <PreviewPanel recorded={recorded} text={shown} event={event} />
    </div>
  );
}

/** Time and cost of the latest revision's calls, trials and live ones. */
function LiveFigures({ prompt }: { prompt: PromptDetailView }) {
  const trpc = useTRPC();
  const measures = useQuery(trpc.prompts.measures.queryOptions({ promptId: prompt.id }));
  const latest = measures.data?.revisions.find(({ number }) => number === prompt.latestRevision)?.measures;
  if (!latest || latest.judged + latest.failed === 0) return null;
  const { spend, latency } = latest;
  const billed = spend.priced + spend.free;
  return (
    <p className="text-muted text-sm sm:col-span-3">
      Revision {prompt.latestRevision}: <LatencyFigure latency={latency} /> (p50 · p95 of {latency?.of ?? 0} answers);{" "}
      <SpendFigure spend={spend} /> for {billed} priced answers.
    </p>
  );
}
