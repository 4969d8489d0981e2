"use client";

import { ArrowDown, ArrowUp, ChevronRight, Trash2 } from "lucide-react";
import { memo } from "react";
import { removeKey, renameKey, setKey } from "@/components/policies/document/edits";
import { putKey } from "@/components/policies/document/names";
import type { RuleNode } from "@/components/policies/document/rules";
import { useAskPlace } from "@/components/policies/form/ask-place-context";
import { AskPlaceField } from "@/components/policies/form/ask-place-field";
import { problemAt, problemsWithin, useForm, useProblems } from "@/components/policies/form/form-context";
import { ConditionFields } from "@/components/policies/form/rules/condition-fields";
import {
  CONDITIONS,
  type ConditionSpec,
  RULE_ORDER,
  VERDICT_OPTIONS,
} from "@/components/policies/form/rules/conditions";
import { conditionsText, reasonOf, verdictOf } from "@/components/policies/form/rules/rule-text";
import { TypedText } from "@/components/policies/form/typed-text";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Mark } from "@/components/ui/mark";
import { Select, type SelectOption } from "@/components/ui/select";

export interface RuleCardProps {
  rule: RuleNode;
  index: number;
  of: number;
  isOpen: boolean;
  onToggle: (index: number) => void;
  onMove: (index: number, by: -1 | 1) => void;
  onRemove: (index: number) => void;
}

const MARKS = {
  deny: { tone: "deny", label: "Deny" },
  ask: { tone: "ask", label: "Ask" },
  allow: { tone: "allow", label: "Allow" },
} as const;
const ONLY_MARK = { tone: "observe", label: "Mark" } as const;

/** One rule: in short, and open with all its fields. */
export const RuleCard = memo(function RuleCard({ rule, index, of, isOpen, onToggle, onMove, onRemove }: RuleCardProps) {
  const problems = useProblems();
  const verdict = verdictOf(rule.fields);
  const noun = `rule ${index + 1}`;
  const untitled = verdict === null ? `Sets the mark ${String(rule.fields.mark ?? "")}` : "No reason yet";
  const title = reasonOf(rule.fields) || untitled;
  const conditions = conditionsText(rule.fields);
  const wrong = problemsWithin(problems, rule.where);
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface" data-rule={index}>
      <div className="flex items-start gap-1 p-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(index)}
          className="flex min-w-0 flex-1 flex-col gap-1 rounded-sm text-left"
        >
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <ChevronRight aria-hidden className={cn("size-3.5 shrink-0 text-faint", isOpen && "rotate-90")} />
            <span className="sr-only">Rule {index + 1}:</span>
            <Mark {...(verdict === null ? ONLY_MARK : MARKS[verdict])} />
            <span className="min-w-0 break-words font-medium">{title}</span>
          </span>
          <code className="line-clamp-2 break-all pl-5.5 text-muted text-sm">{conditions || "every call"}</code>
        </button>
        <IconButton
          icon={ArrowUp}
          size="sm"
          label={`Move ${noun} up`}
          data-move="-1"
          disabled={index === 0}
          onClick={() => onMove(index, -1)}
        />
        <IconButton
          icon={ArrowDown}
          size="sm"
          label={`Move ${noun} down`}
          data-move="1"
          disabled={index + 1 === of}
          onClick={() => onMove(index, 1)}
        />
        <IconButton icon={Trash2} size="sm" label={`Remove ${noun}`} onClick={() => onRemove(index)} />
      </div>
      {!isOpen && wrong.length > 0 ? <ErrorLine className="px-2 pb-2">{wrong[0]?.message}</ErrorLine> : null}
      {isOpen ? <RuleFields rule={rule} noun={noun} /> : null}
    </li>
  );
});

const NO_VERDICT = "mark";

function RuleFields({ rule, noun }: { rule: RuleNode; noun: string }) {
  const { edit } = useForm();
  const problems = useProblems();
  const askPlace = useAskPlace();
  const verdict = verdictOf(rule.fields);
  const { mark } = rule.fields;
  const holder = { path: rule.path, order: RULE_ORDER };
  const choose = (next: string) => {
    if (next === (verdict ?? NO_VERDICT)) return;
    void edit((text) => {
      if (verdict === null) return setKey(text, rule.path, next, "", RULE_ORDER);
      return next === NO_VERDICT ? removeKey(text, rule.path, verdict) : renameKey(text, rule.path, verdict, next);
    });
  };
  return (
    <div className="flex flex-col gap-3 border-line border-t p-3">
      <OwnProblems rule={rule} />
      <Field label="Verdict" help="If several rules match, the strictest verdict counts: deny, then ask, then allow.">
        <Select
          value={verdict ?? NO_VERDICT}
          onChange={choose}
          options={[
            ...VERDICT_OPTIONS.map(({ value, label }): SelectOption<string> => ({ value, label })),
            { value: NO_VERDICT, label: "Only mark the session", disabled: verdict !== null && mark === undefined },
          ]}
        />
      </Field>
      {verdict === null ? null : (
        <Field
          label="Reason"
          help={VERDICT_OPTIONS.find(({ value }) => value === verdict)?.help}
          {...errorOf(problemAt(problems, `${rule.where}.${verdict}`))}
        >
          <TypedText
            value={reasonOf(rule.fields)}
            onText={(next) => void edit((text) => setKey(text, rule.path, verdict, next, RULE_ORDER), true)}
          />
        </Field>
      )}
      {verdict === "ask" && askPlace ? <AskPlaceField value={askPlace.place} onChange={askPlace.change} /> : null}
      <ConditionFields rule={rule} noun={noun} />
      {rule.nests.map((nest) => (
        <div key={nest} className="flex flex-col gap-1">
          <p className="text-muted text-sm">Edit nested conditions in the YAML.</p>
          <CodeBlock
            code={nest}
            language="yaml"
            label={`Nested conditions of ${noun}`}
            numbers={false}
            maxHeight={200}
          />
        </div>
      ))}
      <Field
        label="Sets a mark"
        help="Optional. For the rest of the session, other rules can check for the mark with “After a mark”."
        {...errorOf(problemAt(problems, `${rule.where}.mark`))}
      >
        <TypedText
          mono
          value={typeof mark === "string" ? mark : ""}
          placeholder="read_credentials"
          onText={(next) => void edit((text) => putKey(text, holder, "mark", next === "" ? undefined : next), true)}
        />
      </Field>
    </div>
  );
}

const errorOf = (error: string | undefined) => (error === undefined ? {} : { error });

/** The places whose problems are at a field. */
function shownKeys({ key, fields, groups, isMapping }: ConditionSpec): string[] {
  if (!isMapping) return fields.map((one) => one.key);
  const inGroups = groups.flatMap((group) => group.fields.map((one) => `${key}.${group.key}.${one.key}`));
  return [...fields.map((one) => `${key}.${one.key}`), ...inGroups];
}

/** The problems of the rule as a whole, and of what no field shows. */
function OwnProblems({ rule }: { rule: RuleNode }) {
  const problems = problemsWithin(useProblems(), rule.where);
  const drawn = CONDITIONS.filter(({ key }) => rule.fields[key] !== undefined).flatMap(shownKeys);
  const shown = ["deny", "ask", "allow", "mark", ...drawn].map((key) => `${rule.where}.${key}`);
  const own = problems.filter(({ path }) => !shown.some((one) => path === one || path.startsWith(`${one}[`)));
  return own.map(({ path, message }) => (
    <ErrorLine key={`${path} ${message}`}>
      {path === rule.where ? null : <code>{path.slice(rule.where.length + 1)}: </code>}
      {message}
    </ErrorLine>
  ));
}
