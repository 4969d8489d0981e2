"use client";

import type { Change } from "@quarterdeck/hooks/contract/semantic-diff/semantic-diff";
import { CircleAlert, Minus, Pencil, Plus, Shuffle } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { DiffView, type DiffViewProps } from "@/components/policies/diff/diff-view";
import { meaningOf } from "@/components/policies/diff/meaning";
import { useSeenTools } from "@/components/policies/form/use-seen-tools";
import { counted } from "@/components/policies/labels";
import { cn } from "@/components/ui/cn";
import { CodeWords } from "@/components/ui/code/code-words";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";

const READINGS = ["meaning", "text"] as const;

/** The differences between two policies' texts: in sentences, or line by line. */
export function ChangesView(props: DiffViewProps) {
  const [reading, setReading] = useQueryState("diff", parseAsStringLiteral(READINGS).withDefault("meaning"));
  if (props.before === props.after) return <DiffView {...props} />;
  return (
    <div className={cn("flex min-w-0 flex-col gap-2", props.className)}>
      <Segmented
        label="View of the changes"
        value={reading}
        onChange={(next) => void setReading(next)}
        options={[
          { value: "meaning", label: "Meaning" },
          { value: "text", label: "Text" },
        ]}
        className="self-start"
      />
      {reading === "meaning" ? <MeaningView {...props} /> : <DiffView {...props} />}
    </div>
  );
}

function MeaningView({ before, after, beforeLabel, afterLabel }: DiffViewProps) {
  const tools = useSeenTools();
  const meaning = useMemo(
    () =>
      meaningOf(
        before,
        after,
        (tools ?? []).map(({ name }) => name),
      ),
    [before, after, tools],
  );
  if (meaning.kind === "unreadable") {
    const label = meaning.side === "before" ? beforeLabel : afterLabel;
    return (
      <Notice kind="warning">
        Changes in meaning are unknown: {label} has a problem in line {meaning.line} ({meaning.why}). See the YAML
        instead.
      </Notice>
    );
  }
  const { changes } = meaning;
  if (changes.length === 0)
    return (
      <p className="py-6 text-center text-muted">
        Only comments, key order or whitespace differ. The meaning is the same.
      </p>
    );
  const loose = changes.filter(({ mayLoosen }) => mayLoosen).length;
  return (
    <section
      aria-label={`${beforeLabel} to ${afterLabel}, in words`}
      className="flex flex-col rounded-md border bg-surface"
    >
      <p className="flex flex-wrap items-center gap-x-3 border-line border-b bg-sunken px-3 py-1.5 text-muted text-sm">
        <span>
          {beforeLabel} → {afterLabel}
        </span>
        <span className="ml-auto">
          {counted(changes.length, "change")}
          {loose > 0 ? `, ${loose} may allow more` : ""}
        </span>
      </p>
      <ul className="divide-y divide-line">
        {changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew whenever it changes
          <Row key={`${change.sentence} ${at}`} change={change} />
        ))}
      </ul>
    </section>
  );
}

const icons = { added: Plus, removed: Minus, moved: Shuffle } as const;

function Row({ change }: { change: Change }) {
  const { kind, event, sentence, mayLoosen, texts } = change;
  const Icon = kind in icons ? icons[kind as keyof typeof icons] : kind === "profile" ? CircleAlert : Pencil; // tested just before
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <span className="flex flex-wrap items-start gap-x-2 gap-y-1">
        <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 basis-48 break-words">
          <CodeWords text={sentence} />
        </span>
        {mayLoosen ? <Mark tone="ask" label="may allow more" /> : null}
        {event ? <code className="text-faint text-sm">{event}</code> : null}
      </span>
      {texts && !sentence.includes(" instead of ") ? (
        <details className="ml-5.5 min-w-0">
          <summary className="cursor-pointer text-muted text-sm">Differences</summary>
          <DiffView before={texts.before} after={texts.after} beforeLabel="before" afterLabel="now" same="" />
        </details>
      ) : null}
    </li>
  );
}
