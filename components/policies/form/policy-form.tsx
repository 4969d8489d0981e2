"use client";

import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { PolicyForm } from "@/components/policies/document/tree";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { AddMenu } from "@/components/policies/form/add-menu";
import { EventSection } from "@/components/policies/form/event-section";
import { type DoEdit, FormContext, problemAt, problemsWithin } from "@/components/policies/form/form-context";
import { PURPOSES, purposeOf } from "@/components/policies/form/purpose";
import { useFollowed } from "@/components/policies/form/use-followed";
import { useSeenTools } from "@/components/policies/form/use-seen-tools";
import { SentenceFactsContext, usePolicyFacts } from "@/components/policies/sentences/facts-context";
import { Notice } from "@/components/ui/notice";
import type { PolicyDetailView, PolicyProblem } from "@/server/policies/schema";

export interface PolicyFormProps {
  policy: PolicyDetailView;
  text: string;
  /** The problems of exactly this text; empty during the check. */
  problems: readonly PolicyProblem[];
  editor: RefObject<EditorHandle | null>;
  /** Takes the text when the editor is not there to take changes. */
  onText: (text: string) => void;
}

/** The policy as sentences, each with its form. Edits the same text as the YAML editor, and only at the edited places. */
export default function PolicyFormView({ policy, text, problems, editor, onText }: PolicyFormProps) {
  const facts = usePolicyFacts(policy);
  const { form, problems: found, locked, catchUp } = useFollowed(text, problems);
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
      if (done.ok && !isTyping) catchUp(done.text);
      return done.ok ? null : done.why;
    },
    [editor, catchUp],
  );
  // Cards refer to paths of the text they were rendered from, so the form catches up with the newest text before an
  // edit.
  const arrive = () => catchUp(latest.current.text);
  const undoKeys = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    // One history for both editor modes: the browser's own covers only one field.
    event.preventDefault();
    if (event.target instanceof HTMLElement && event.target.matches("input,textarea")) event.target.blur();
    if (key === "y" || event.shiftKey) editor.current?.redo();
    else editor.current?.undo();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for undo from the controls inside
    <div
      className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4"
      onKeyDown={undoKeys}
      onPointerDownCapture={arrive}
      onFocusCapture={arrive}
    >
      {locked === null ? null : <Notice kind="warning">{locked}</Notice>}
      {/* Hidden, not unmounted: half of all keystrokes leave invalid YAML, and mounting hundreds of cards again is slow. */}
      <div hidden={locked !== null} className="flex flex-col gap-6 [[hidden]]:hidden">
        <SentenceFactsContext value={facts}>
          <Cards form={form} problems={found} edit={edit} refusal={refusal} />
        </SentenceFactsContext>
      </div>
    </div>
  );
}

interface CardsProps {
  form: PolicyForm;
  problems: readonly PolicyProblem[];
  edit: DoEdit;
  refusal: string | null;
}

/** Everything rendered from the text. Renders again only after a visible change. */
const Cards = memo(function Cards({ form, problems, edit, refusal }: CardsProps) {
  const tools = useSeenTools();
  const { profile, evaluators, routing } = form;
  const sections = useMemo(() => {
    const within = (section: string) => problemsWithin(problems, section);
    return { evaluators, routing, problems: [...within("evaluators"), ...within("routing")] };
  }, [evaluators, routing, problems]);
  const context = useMemo(() => ({ edit, profile, tools, sections }), [edit, profile, tools, sections]);
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
        <p className="text-muted">No hooks yet. Add a ready-made guard, or add an event to write your own hook.</p>
      ) : null}
      {groups.map(({ id, title, says, events }) => (
        <section key={id} aria-label={title} className="flex flex-col gap-4">
          <header>
            <h2 className="font-semibold text-lg">{title}</h2>
            <p className="text-faint text-sm">{says}</p>
          </header>
          {events.map((node) => (
            <EventSection
              key={node.event}
              node={node}
              index={form.events.indexOf(node)}
              of={form.events.length}
              problems={problemsWithin(problems, node.where)}
            />
          ))}
        </section>
      ))}
      {strangers.map((node) => (
        <EventSection
          key={node.event}
          node={node}
          index={form.events.indexOf(node)}
          of={form.events.length}
          problems={problemsWithin(problems, node.where)}
        />
      ))}
    </FormContext>
  );
});
