"use client";

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { UseQueryResult } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { Fragment, memo, type ReactNode, useEffect, useMemo, useState } from "react";
import { expectedWords } from "@/components/judge-label/label-words";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { formatCount, formatTokens, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import type { JudgedText, PreviewView, RecordedView } from "@/server/prompts/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

interface PreviewPanelProps {
  recorded: UseQueryResult<RecordedView[], unknown>;
  text: JudgedText;
  event: EventName;
}

const QUIET_MS = 300;
const SAMPLE = "sample";
const NONE: readonly RecordedView[] = [];

/** The question a model would be sent for one recorded call, drawn again a moment after every change. */
export const PreviewPanel = memo(function PreviewPanel({ recorded, text, event }: PreviewPanelProps) {
  const calls = recorded.data ?? NONE;
  const [wanted, setWanted] = useQueryState("call", parseAsString);
  const call = wanted === SAMPLE ? null : (calls.find((one) => eventKeyText(one) === wanted) ?? calls[0] ?? null);
  const options = useMemo(
    () => [
      ...calls.map((one) => ({ value: eventKeyText(one), label: labelOf(one), aside: one.agentName })),
      { value: SAMPLE, label: "Sample call" },
    ],
    [calls],
  );
  const isKnown = recorded.isSuccess || recorded.isError;
  const { preview, failure, isDrawing } = usePreview(isKnown, text, event, call);
  return (
    <section
      aria-label="Preview"
      className="flex min-h-0 w-full flex-col gap-3 overflow-y-auto p-4 lg:w-[44%] lg:shrink-0"
    >
      <Field
        label="Previewed on"
        help={
          calls.length === 0 && isKnown
            ? "No matching call was recorded in the last 30 days. The preview uses a sample call."
            : undefined
        }
      >
        <Select
          value={call ? eventKeyText(call) : SAMPLE}
          onChange={(next) => void setWanted(next)}
          options={options}
        />
      </Field>
      {call?.expected ? (
        <p className="text-sm">
          {call.expected === "disputed" ? (
            "People expect different verdicts on this call, so scores do not count the call."
          ) : (
            <>
              Expected verdict: <span className="font-medium">{expectedWords(call.expected)}</span>.
            </>
          )}
        </p>
      ) : null}
      {recorded.error ? <ErrorLine>{failureSentence(recorded.error)}</ErrorLine> : null}
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
      {preview ? <Drawn preview={preview} /> : isDrawing ? <Spinner /> : null}
    </section>
  );
});

const labelOf = ({ tool, event, excerpt }: RecordedView) => truncateText(`${tool ?? event}: ${excerpt}`, 60);

/** The server's rendering: templates are rendered where judges are asked, so that it is the same text. */
function usePreview(isReady: boolean, text: JudgedText, event: EventName, call: RecordedView | null) {
  const client = useTRPCClient();
  const { template, model, schema } = text;
  const [drawn, setDrawn] = useState<{ preview: PreviewView | null; failure: string | null }>({
    preview: null,
    failure: null,
  });
  const [isDrawing, setDrawing] = useState(true);
  const [atMs, id] = [call?.occurredAt.getTime() ?? null, call?.id ?? null];
  useEffect(() => {
    // Synchronises with the server's reading of the text.
    if (!isReady) return;
    const abort = new AbortController();
    const key = atMs === null || id === null ? null : { occurredAt: new Date(atMs), id };
    const timer = setTimeout(() => {
      setDrawing(true);
      client.prompts.preview
        .mutate({ template, model, schema, event, call: key }, { signal: abort.signal })
        .then((preview) => setDrawn({ preview, failure: null }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) setDrawn((before) => ({ ...before, failure: failureSentence(error) }));
        })
        .finally(() => {
          if (!abort.signal.aborted) setDrawing(false);
        });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, isReady, template, model, schema, event, atMs, id]);
  return { ...drawn, isDrawing };
}

function Drawn({ preview }: { preview: PreviewView }) {
  const { problem, system, prompt, redactions } = preview;
  if (problem)
    return (
      <Notice kind="danger">
        {problem.line === null ? "" : `Line ${problem.line}, column ${problem.column}: `}
        {problem.message}
      </Notice>
    );
  return (
    <>
      <p role="status" aria-label="Size and cost" className="text-sm">
        {formatCount(preview.characters)} characters, about {formatTokens(preview.tokens)} tokens;{" "}
        <Cost cost={preview.cost} />
        {redactions > 0 ? <span className="text-ask">; {plural(redactions, "secret")} hidden</span> : null}
      </p>
      <Words title="System" text={system ?? ""} />
      <Words title="Prompt" text={prompt ?? ""} />
    </>
  );
}

function Cost({ cost }: { cost: PreviewView["cost"] }) {
  if (cost.kind === "unconnected") return <span className="text-ask">no connection answers for this model</span>;
  if (cost.kind === "unpriced") return <Money nano={null} reason="The connection has no price for this model." />;
  return (
    <span>
      <Money nano={cost.question} zeroIsFree /> for the question, at most <Money nano={cost.atMost} /> with its answer
    </span>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <figure className="min-w-0 rounded-md border bg-sunken">
      <figcaption className="border-line border-b px-3 py-1.5 text-muted text-sm">{title}</figcaption>
      <section
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="inset-focus max-h-96 overflow-auto px-3 py-2"
      >
        <code className="whitespace-pre-wrap break-words">{marked(text)}</code>
      </section>
    </figure>
  );
}

const HIDDEN = "[REDACTED]";

/** The text with its hidden parts marked: the model sees the marker too. */
function marked(text: string): ReactNode {
  return text.split(HIDDEN).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={at}>
      {at > 0 ? <mark className="rounded-sm bg-ask-soft px-0.5 text-ask">{HIDDEN}</mark> : null}
      {part}
    </Fragment>
  ));
}
