"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { DECISION_WORDS, LABELS } from "@/components/judge-label/label-words";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { isEditable } from "@/components/ui/hotkeys/store";
import { Input } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import {
  type Decision,
  decisionOf,
  expectations,
  LABEL_WORDS,
  type LabelSubject,
  type LabelView,
  type LabelWord,
} from "@/server/prompts/schema";

interface LabelBarProps {
  subject: LabelSubject;
  /** The judge's verdict. */
  verdict: string;
  /** The next answer to label, once this one has its label. */
  onNext?: (() => void) | undefined;
  /** False when another bar of the page takes the keys. */
  hasKeys?: boolean | undefined;
  /** More acts, on a line of their own. */
  actions?: ReactNode;
}

const LABELLING = "policy:review";

/** A person's label for a judge's answer: 1, 2, 3, and on to the next. */
export function LabelBar({ subject, verdict, onNext, hasKeys = true, actions }: LabelBarProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const said = decisionOf(verdict);
  const { isGranted } = usePermission(LABELLING);
  const labels = useQuery(trpc.prompts.labels.queryOptions({ subject }));
  const mine = labels.data?.find(({ isMine }) => isMine) ?? null;
  const [note, setNote] = useState("");
  const renew = () => queries.invalidateQueries({ queryKey: trpc.prompts.pathKey() });
  const set = useMutation(trpc.prompts.label.mutationOptions({ onSuccess: renew }));
  const unset = useMutation(trpc.prompts.unlabel.mutationOptions({ onSuccess: renew }));
  const label = (word: LabelWord) => {
    if (said === null) return;
    const choices = expectations(said, word);
    if (choices.length === 0 || set.isPending) return;
    // If a label can mean several decisions, the next call is not opened before a person has chosen one.
    set.mutate({ subject, word, note }, { onSuccess: () => (choices.length === 1 ? onNext?.() : undefined) });
  };
  useLabelKeys(label, hasKeys && isGranted);
  if (said === null)
    return <p className="text-muted text-sm">The judge gave no verdict on this call, so there is nothing to label.</p>;
  return (
    <section aria-label="Your label" className="flex flex-col gap-3 rounded-md border px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-sm">Is the judge's verdict right?</span>
        {LABEL_WORDS.map((word) => (
          <PermittedButton
            key={word}
            to={LABELLING}
            aria-pressed={mine?.word === word}
            variant={mine?.word === word ? "primary" : "secondary"}
            disabled={expectations(said, word).length === 0}
            onClick={() => label(word)}
          >
            {LABELS[word].label} {hasKeys && isGranted ? <Kbd keys={LABELS[word].keys} /> : null}
          </PermittedButton>
        ))}
        {mine ? (
          <Button variant="ghost" onClick={() => unset.mutate({ subject })} busy={unset.isPending}>
            Take back
          </Button>
        ) : null}
        {onNext ? (
          <Button variant="ghost" className="ml-auto" onClick={onNext}>
            Next
          </Button>
        ) : null}
      </div>
      {mine ? (
        <Expected
          label={mine}
          choices={expectations(said, mine.word)}
          onChoose={(expected) => set.mutate({ subject, word: mine.word, expected, note: mine.note })}
        />
      ) : null}
      <Input
        aria-label="Note, optional"
        placeholder="Note, optional: why"
        maxLength={2_000}
        disabled={!isGranted}
        value={mine && note === "" ? mine.note : note}
        onChange={(event) => setNote(event.target.value)}
        onBlur={() => {
          if (mine && note !== "" && note !== mine.note)
            set.mutate({ subject, word: mine.word, expected: mine.expected, note });
        }}
      />
      {set.error ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
      {labels.error ? <ErrorLine>{failureSentence(labels.error)}</ErrorLine> : null}
      <OtherLabels labels={labels.data ?? []} />
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </section>
  );
}

/** Labels by the keys 1, 2 and 3. */
function useLabelKeys(label: (word: LabelWord) => void, isOn: boolean): void {
  const latest = useRef(label);
  useLayoutEffect(() => {
    latest.current = label;
  });
  useLayoutEffect(() => {
    // Synchronises with the keyboard. Not a page hotkey, because this bar is in a drawer and an open drawer suspends
    // page hotkeys. A layout effect, so that a bar that is seen takes its keys.
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isEditable(event.target)) return;
      const word = LABEL_WORDS.find((one) => LABELS[one].keys === event.key);
      if (word) latest.current(word);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
}

interface ExpectedProps {
  label: LabelView;
  choices: readonly Decision[];
  onChoose: (expected: Decision) => void;
}

/** The expected decision by the label, or a choice if the label can mean several. */
function Expected({ label, choices, onChoose }: ExpectedProps) {
  return choices.length > 1 ? (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span>Expected</span>
      <Segmented
        label="Expected decision"
        value={label.expected}
        onChange={onChoose}
        options={choices.map((decision) => ({ value: decision, label: DECISION_WORDS[decision] }))}
      />
    </div>
  ) : (
    <p className="text-muted text-sm">Expected: {DECISION_WORDS[label.expected].toLowerCase()}.</p>
  );
}

function OtherLabels({ labels }: { labels: readonly LabelView[] }) {
  return labels
    .filter(({ isMine }) => !isMine)
    .map((one) => (
      <p key={`${one.person} ${one.at.getTime()}`} className="flex flex-wrap items-center gap-2 text-sm">
        <Mark tone={LABELS[one.word].tone} label={LABELS[one.word].label} /> {one.person}{" "}
        <RelativeTime at={one.at} className="text-muted" /> {one.note}
      </p>
    ));
}
