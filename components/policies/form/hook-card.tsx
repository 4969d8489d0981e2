"use client";

import type { EventContract, Profile } from "@quarterdeck/hooks/contract/events";
import { HANDLER_TYPES } from "@quarterdeck/hooks/contract/hook";
import { EVALUATED_EVENT } from "@quarterdeck/hooks/contract/hook-placement";
import { PROFILE_RULES } from "@quarterdeck/hooks/contract/profiles";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import { Copy, Ellipsis, Trash2 } from "lucide-react";
import { memo } from "react";
import { addItem, removeItem, setKey } from "@/components/policies/document/edits";
import type { HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import { type FieldSpec, HOOK_FIELDS, HOOK_ORDER } from "@/components/policies/form/fields";
import { hasProblemWithin, ProblemsContext, problemAt, useForm } from "@/components/policies/form/form-context";
import { HookField } from "@/components/policies/form/hook-field";
import { moveItems } from "@/components/policies/form/move-items";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import { Select } from "@/components/ui/select";
import type { PolicyProblem } from "@/server/policies/schema";

const TYPES: Record<string, string> = {
  command: "a shell command",
  builtin: "built-in check",
  model: "model judge",
  evaluator: "an evaluator of the policy",
  rules: "rules on what a call does",
};

export interface HookCardProps {
  hook: HookNode;
  event: string;
  contract: EventContract | null;
  /** Its index among its siblings, and their number. */
  index: number;
  of: number;
  /** Those at or below this hook. */
  problems: readonly PolicyProblem[];
}

/** One hook: what runs, and under which terms. Drawn again only when it is another one: there may be hundreds. */
export const HookCard = memo(function HookCard({ hook, event, contract, index, of, problems }: HookCardProps) {
  const { edit, profile } = useForm();
  const { unknownHookKeys } = PROFILE_RULES[profile];
  const type = typeof hook.fields.type === "string" ? hook.fields.type : "";
  const title = String(hook.fields.name || firstLine(hook.fields.command) || type || "a new hook");
  const mine = HOOK_FIELDS.filter((spec) => {
    if (hook.fields[spec.key] !== undefined && spec.types.includes(type)) return true;
    if (unknownHookKeys.includes(spec.key) || !fitsEvent(spec, contract)) return false;
    return spec.types.includes(type) || (type === "" && spec.key === "name");
  });
  const more = mine.filter(({ isMain }) => !isMain);
  const set = more.filter(({ key }) => hook.fields[key] !== undefined);
  const isWrong = more.some(({ key }) => hasProblemWithin(problems, `${hook.where}.${key}`));
  const own = problemAt(problems, hook.where);
  const stray = problems.filter(
    ({ path }) => path.startsWith(`${hook.where}.`) && !mine.some(({ key }) => path.startsWith(`${hook.where}.${key}`)),
  );
  return (
    <ProblemsContext value={problems}>
      <article
        aria-label={`Hook ${title}`}
        className="flex flex-col gap-3 rounded-md border border-line bg-surface p-3 [contain-intrinsic-size:auto_22rem] [content-visibility:auto]"
      >
        <header className="flex items-center gap-2">
          <h4 className="min-w-0 flex-1 truncate font-medium">{title}</h4>
          <HookMenu hook={hook} title={title} index={index} of={of} />
        </header>
        {own === undefined ? null : <ErrorLine>{own}</ErrorLine>}
        {stray.map(({ path, message }) => (
          <ErrorLine key={path}>
            <code>{path.slice(hook.where.length + 1)}</code>: {message}
          </ErrorLine>
        ))}
        <Field label="Action" error={problemAt(problems, `${hook.where}.type`)}>
          <Select
            value={type === "" ? undefined : type}
            onChange={(next) => void edit((text) => setKey(text, hook.path, "type", next, HOOK_ORDER))}
            options={[
              ...HANDLER_TYPES.filter((one) => one === type || isOffered(one, { event, contract, profile })).map(
                (one) => ({
                  value: one as string,
                  label: TYPES[one] ?? one,
                }),
              ),
              ...(type !== "" && !(type in TYPES) ? [{ value: type, label: `${type} (unknown)` }] : []),
            ]}
          />
        </Field>
        {mine
          .filter(({ isMain }) => isMain)
          .map((spec) => (
            <HookField key={spec.key} hook={hook} spec={spec} event={event} contract={contract} />
          ))}
        {more.length > 0 ? (
          <details className="group" {...(isWrong ? { open: true } : {})}>
            <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm hover:text-text">
              Time limit, failure, location
              {set.length > 0 ? (
                <span className="text-faint"> · set: {set.map(({ key }) => key).join(", ")}</span>
              ) : null}
            </summary>
            <div className="mt-3 flex flex-col gap-3 border-line border-l pl-3">
              {more.map((spec) => (
                <HookField key={spec.key} hook={hook} spec={spec} event={event} contract={contract} />
              ))}
            </div>
          </details>
        ) : null}
      </article>
    </ProblemsContext>
  );
});

const fitsEvent = ({ on }: FieldSpec, contract: EventContract | null): boolean =>
  on === undefined || contract === null || (on === "control") === contract.control;

type Occasion = { event: string; contract: EventContract | null; profile: Profile };

/** True for a type that the profile has, and that the event can use. */
function isOffered(type: string, { event, contract, profile }: Occasion): boolean {
  if (PROFILE_RULES[profile].unknownHookTypes.includes(type)) return false;
  if (type === "evaluator") return contract?.control === true || event === EVALUATED_EVENT;
  return type !== "model" || contract?.control !== true;
}

function HookMenu({ hook, title, index, of }: Pick<HookCardProps, "hook" | "index" | "of"> & { title: string }) {
  const { edit } = useForm();
  const hasList = typeof hook.path.at(-1) === "number";
  // Holds: what was read from YAML is plain values.
  const twin = hook.fields as Value;
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`More actions for hook ${title}`} size="sm" />}
      items={[
        ...moveItems(edit, hook.path, { index, of }, hasList),
        {
          label: "Duplicate",
          icon: Copy,
          disabled: !hasList,
          onSelect: () => void edit((text) => addItem(text, hook.path.slice(0, -1), twin, [], index)),
        },
        { kind: "separator" },
        {
          label: "Remove the hook",
          icon: Trash2,
          danger: true,
          onSelect: () => void edit((text) => removeItem(text, hook.path)),
        },
      ]}
    />
  );
}

const firstLine = (value: unknown): string => (typeof value === "string" ? truncateToLine(value, 80) : "");
