"use client";

import { RULES_MAX } from "@quarterdeck/hooks/contract/rules/schema";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { addItem, move, removeItem } from "@/components/policies/document/edits";
import type { RuleNode } from "@/components/policies/document/rules";
import type { HookNode } from "@/components/policies/document/tree";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { useOpenRule } from "@/components/policies/form/rules/open-rule";
import { RuleCard } from "@/components/policies/form/rules/rule-card";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";

/** Not valid before its reason and its program are written. */
const NEW_RULE = { deny: "", command: { program: "" } };
const NO_RULES: readonly RuleNode[] = [];

/** The expanded rules, and the actions on the list. Focus follows a moved rule. */
function useRules(hook: HookNode, nodes: readonly RuleNode[]) {
  const { edit } = useForm();
  const list = useRef<HTMLOListElement>(null);
  const chosen = useOpenRule();
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(chosen === null ? [] : [chosen]));
  const moved = useRef<{ index: number; by: -1 | 1 } | null>(null);
  const at = useRef(nodes);
  useEffect(() => {
    at.current = nodes;
    if (moved.current === null) return;
    const { index, by } = moved.current;
    moved.current = null;
    const found = list.current?.querySelectorAll<HTMLButtonElement>(`[data-rule="${index}"] [data-move]`) ?? [];
    const free = [...found].filter(({ disabled }) => !disabled);
    (free.find(({ dataset }) => dataset.move === `${by}`) ?? free[0])?.focus();
  });
  const toggle = useCallback(
    (index: number) =>
      setOpen((before) => new Set(before.has(index) ? [...before].filter((one) => one !== index) : [...before, index])),
    [],
  );
  const onMove = useCallback(
    (index: number, by: -1 | 1) => {
      const rule = at.current[index];
      if (!rule || edit((text) => move(text, rule.path, by)) !== null) return;
      moved.current = { index: index + by, by };
      const other = index + by;
      setOpen((before) => new Set([...before].map((one) => (one === index ? other : one === other ? index : one))));
    },
    [edit],
  );
  const onRemove = useCallback(
    (index: number) => {
      const rule = at.current[index];
      if (!rule || edit((text) => removeItem(text, rule.path)) !== null) return;
      const shifted = (one: number) => (one > index ? one - 1 : one);
      setOpen((before) => new Set([...before].filter((one) => one !== index).map(shifted)));
    },
    [edit],
  );
  const add = () => {
    if (edit((text) => addItem(text, [...hook.path, "rules"], NEW_RULE, HOOK_ORDER)) === null) toggle(nodes.length);
  };
  return { list, open, toggle, onMove, onRemove, add };
}

/** The rules of a hook: added, removed and moved; the strictest that matches decides. */
export function RulesField({ hook, label }: { hook: HookNode; label: string }) {
  const problems = useProblems();
  const id = useId();
  const nodes = hook.rules?.nodes ?? NO_RULES;
  const { list, open, toggle, onMove, onRemove, add } = useRules(hook, nodes);
  const error = problemAt(problems, `${hook.where}.rules`);
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">
        {label} {nodes.length > 0 ? <span className="text-faint">· {plural(nodes.length, "rule")}</span> : null}
      </legend>
      {nodes.length === 0 ? null : (
        <ol ref={list} className="flex flex-col gap-2">
          {nodes.map((rule, index) => (
            <RuleCard
              key={rule.where}
              rule={rule}
              index={index}
              of={nodes.length}
              isOpen={open.has(index)}
              onToggle={toggle}
              onMove={onMove}
              onRemove={onRemove}
            />
          ))}
        </ol>
      )}
      {hook.rules?.isOdd ? (
        <ErrorLine>Part of this list is not a rule. Correct that part in the YAML.</ErrorLine>
      ) : null}
      <div>
        <Button size="sm" disabled={nodes.length >= RULES_MAX} onClick={add}>
          <Plus aria-hidden /> Add a rule
        </Button>
      </div>
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        Conditions on what a call does. A rule matches when all its conditions are met; the strictest rule that matches
        decides.
      </p>
    </fieldset>
  );
}
