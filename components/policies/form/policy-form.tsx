"use client";

import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type PolicyForm, policyForm } from "@/components/policies/document/tree";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { AddMenu } from "@/components/policies/form/add-menu";
import { EventSection } from "@/components/policies/form/event-section";
import { type DoEdit, FormContext, problemAt } from "@/components/policies/form/form-context";
import { PURPOSES, purposeOf } from "@/components/policies/form/purpose";
import { useSeenTools } from "@/components/policies/form/use-seen-tools";
import { Notice } from "@/components/ui/notice";
import type { PolicyProblem } from "@/server/policies/schema";

export interface PolicyFormProps {
  text: string;
  /** The check of this very text; empty while it is under way. */
  problems: readonly PolicyProblem[];
  editor: RefObject<EditorHandle | null>;
  /** Takes the text when the editor is not there to take changes. */
  onText: (text: string) => void;
}

/**
 * The policy as a form: the same text as the editor's, changed where it is touched and nowhere else. Drawn a moment behind
 * the text, in pauses of typing: a key must not wait for a hundred cards.
 */
export default function PolicyFormView({ text, problems, editor, onText }: PolicyFormProps) {
  const shown = useDeferredValue(text);
  const found = useDeferredValue(problems);
  const form = useMemo(() => policyForm(shown), [shown]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef({ text, onText });
  useLayoutEffect(() => {
    latest.current = { text, onText };
  });
  const edit = useCallback<DoEdit>(
    (make, isTyping = false) => {
      let done = editor.current?.edit(make, isTyping) ?? null;
      if (done === null) {
        done = make(latest.current.text);
        if (done.ok) latest.current.onText(done.text);
      }
      setRefusal(done.ok ? null : done.why);
      return done.ok ? null : done.why;
    },
    [editor],
  );
  const undoKeys = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    // One history for both hands: the browser's own knows only one field.
    event.preventDefault();
    if (event.target instanceof HTMLElement && event.target.matches("input,textarea")) event.target.blur();
    if (key === "y" || event.shiftKey) editor.current?.redo();
    else editor.current?.undo();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for undo from the controls inside
    <div className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4" onKeyDown={undoKeys}>
      <Cards form={form} problems={found} edit={edit} refusal={refusal} />
    </div>
  );
}

interface CardsProps {
  form: PolicyForm;
  problems: readonly PolicyProblem[];
  edit: DoEdit;
  refusal: string | null;
}

/** Everything that is drawn from the text; drawn again only when what it shows has changed. */
const Cards = memo(function Cards({ form, problems, edit, refusal }: CardsProps) {
  const tools = useSeenTools();
  const { profile } = form;
  const context = useMemo(() => ({ edit, problems, profile, tools }), [edit, problems, profile, tools]);
  if (form.locked !== null) return <Notice kind="warning">{form.locked}</Notice>;
  const groups = PURPOSES.map((purpose) => ({
    ...purpose,
    events: form.events.filter(({ contract }) => contract !== null && purposeOf(contract) === purpose.id),
  })).filter(({ events }) => events.length > 0);
  const strangers = form.events.filter(({ contract }) => contract === null);
  const whole = problemAt(problems, "") ?? problemAt(problems, "hooks");
  return (
    <FormContext value={context}>
      <AddMenu form={form} />
      {refusal === null ? null : <Notice kind="warning">{refusal}</Notice>}
      {whole === undefined ? null : <Notice kind="danger">{whole}</Notice>}
      {form.events.length === 0 ? (
        <p className="text-muted">
          Nothing is guarded yet. Add a guard to begin with one that works, or an event to write your own.
        </p>
      ) : null}
      {groups.map(({ id, title, says, events }) => (
        <section key={id} aria-label={title} className="flex flex-col gap-4">
          <header>
            <h2 className="font-semibold text-lg">{title}</h2>
            <p className="text-faint text-sm">{says}</p>
          </header>
          {events.map((node) => (
            <EventSection key={node.event} node={node} index={form.events.indexOf(node)} of={form.events.length} />
          ))}
        </section>
      ))}
      {strangers.map((node) => (
        <EventSection key={node.event} node={node} index={form.events.indexOf(node)} of={form.events.length} />
      ))}
    </FormContext>
  );
});
