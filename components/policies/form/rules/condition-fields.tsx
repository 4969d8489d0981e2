"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { removeKey, setKey } from "@/components/policies/document/edits";
import { type Fields, isFields } from "@/components/policies/document/intent";
import { type Holder, removeKeys } from "@/components/policies/document/names";
import type { RuleNode } from "@/components/policies/document/rules";
import { hasProblemWithin, useForm, useProblems } from "@/components/policies/form/form-context";
import {
  CONDITIONS,
  type ConditionSpec,
  type FieldGroup,
  RULE_ORDER,
} from "@/components/policies/form/rules/conditions";
import { RuleField } from "@/components/policies/form/rules/rule-field";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";

/** The conditions that a rule has, and the choice of another. */
export function ConditionFields({ rule, noun }: { rule: RuleNode; noun: string }) {
  const { edit } = useForm();
  const present = CONDITIONS.filter(({ key }) => rule.fields[key] !== undefined);
  const absent = CONDITIONS.filter((spec) => !present.includes(spec));
  return (
    <>
      {present.map((spec) => (
        <Condition key={spec.key} rule={rule} spec={spec} noun={noun} />
      ))}
      {present.length === 0 && rule.nests.length === 0 ? (
        <p className="text-ask text-sm">Without a condition, the rule matches every call. Add a condition.</p>
      ) : null}
      {absent.length === 0 ? null : (
        <Menu
          align="start"
          trigger={
            <Button size="sm" className="self-start">
              <Plus aria-hidden /> Add a condition
            </Button>
          }
          items={absent.map(({ key, label, help, fresh }) => ({
            label: (
              <span className="flex max-w-80 flex-col py-0.5">
                {label}
                <span className="text-muted text-sm">{help}</span>
              </span>
            ),
            onSelect: () => void edit((text) => setKey(text, rule.path, key, fresh, RULE_ORDER)),
          }))}
        />
      )}
    </>
  );
}

/** One condition. The first two fields and those with a value are visible, the others below "More". */
function Condition({ rule, spec, noun }: { rule: RuleNode; spec: ConditionSpec; noun: string }) {
  const { edit } = useForm();
  const id = useId();
  const { key, label, help, fields, groups, isMapping } = spec;
  const value = rule.fields[key];
  const isOdd = isMapping && !isFields(value);
  const own: Fields = isMapping ? (isFields(value) ? value : {}) : rule.fields;
  const path = isMapping ? [...rule.path, key] : rule.path;
  const where = isMapping ? `${rule.where}.${key}` : rule.where;
  const holder: Holder = { path, order: isMapping ? fields.map((one) => one.key) : RULE_ORDER };
  const keys = isMapping ? [key] : fields.map((one) => one.key).filter((one) => rule.fields[one] !== undefined);
  // A field that is filled in stays where it is, and keeps the focus.
  const [early] = useState(() => Object.keys(own));
  const isInSight = (one: { readonly key: string }, at: number) => !isMapping || at < 2 || early.includes(one.key);
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3" aria-describedby={id}>
      <legend className="sr-only">{label}</legend>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p aria-hidden className="font-medium">
            {label}
          </p>
          <p id={id} className="text-faint text-sm">
            {help}
          </p>
        </div>
        <IconButton
          icon={X}
          size="sm"
          label={`Remove ${label.toLowerCase()} of ${noun}`}
          onClick={() => void edit((text) => removeKeys(text, rule.path, keys))}
        />
      </div>
      {isOdd ? (
        <p className="text-muted text-sm">The form cannot show this condition. Edit the YAML instead.</p>
      ) : (
        <>
          {fields.filter(isInSight).map((one) => (
            <RuleField key={one.key} spec={one} value={own[one.key]} holder={holder} where={`${where}.${one.key}`} />
          ))}
          {groups
            .filter((one) => early.includes(one.key))
            .map((group) => (
              <Group key={group.key} group={group} value={own[group.key]} holder={holder} where={where} />
            ))}
          <More
            fields={fields.filter((one, at) => !isInSight(one, at))}
            groups={groups.filter((one) => !early.includes(one.key))}
            own={own}
            holder={holder}
            where={where}
          />
        </>
      )}
    </fieldset>
  );
}

interface MoreProps {
  fields: ConditionSpec["fields"];
  groups: readonly FieldGroup[];
  own: Fields;
  holder: Holder;
  where: string;
}

function More({ fields, groups, own, holder, where }: MoreProps) {
  const problems = useProblems();
  const all = [...fields, ...groups];
  if (all.length === 0) return null;
  const set = all.filter(({ key }) => own[key] !== undefined);
  const isWrong = all.some(({ key }) => hasProblemWithin(problems, `${where}.${key}`));
  return (
    <details {...(isWrong ? { open: true } : {})}>
      <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm hover:text-text">
        {all.map(({ label }) => label).join(", ")}
        {set.length > 0 ? <span className="text-faint"> · set: {set.map(({ key }) => key).join(", ")}</span> : null}
      </summary>
      <div className="mt-3 flex flex-col gap-3">
        {fields.map((one) => (
          <RuleField key={one.key} spec={one} value={own[one.key]} holder={holder} where={`${where}.${one.key}`} />
        ))}
        {groups.map((group) => (
          <Group key={group.key} group={group} value={own[group.key]} holder={holder} where={where} />
        ))}
      </div>
    </details>
  );
}

interface GroupProps {
  group: FieldGroup;
  value: unknown;
  /** The condition that it is in. */
  holder: Holder;
  where: string;
}

function Group({ group, value, holder: outer, where }: GroupProps) {
  const { edit } = useForm();
  const id = useId();
  const { key, label, help, fields } = group;
  const own = isFields(value) ? value : {};
  const holder: Holder = { path: [...outer.path, key], order: fields.map((one) => one.key), isOptional: true };
  return (
    <fieldset className="flex flex-col gap-3 border-line border-l pl-3" aria-describedby={id}>
      <legend className="sr-only">{label}</legend>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p aria-hidden className="font-medium text-sm">
            {label}
          </p>
          <p id={id} className="text-faint text-sm">
            {help}
          </p>
        </div>
        {value === undefined ? null : (
          <IconButton
            icon={X}
            size="sm"
            label={`Remove ${label.toLowerCase()}`}
            onClick={() => void edit((text) => removeKey(text, outer.path, key))}
          />
        )}
      </div>
      {value !== undefined && !isFields(value) ? (
        <p className="text-muted text-sm">The form cannot show this part. Edit the YAML instead.</p>
      ) : (
        fields.map((one) => (
          <RuleField
            key={one.key}
            spec={one}
            value={own[one.key]}
            holder={holder}
            where={`${where}.${key}.${one.key}`}
          />
        ))
      )}
    </fieldset>
  );
}
