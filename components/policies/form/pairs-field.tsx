"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { removeKey, renameKey, setKey } from "@/components/policies/document/edits";
import { isFields } from "@/components/policies/document/intent";
import type { Path } from "@/components/policies/document/yaml-tree";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { TypedText } from "@/components/policies/form/typed-text";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";

export interface PairsFieldProps {
  label: string;
  help: string;
  /** The mapping that holds the field. */
  owner: Path;
  field: string;
  value: unknown;
  where: string;
  /** The labels of a pair; those of a variable by default. */
  words?: PairWords;
}

export interface PairWords {
  readonly one: string;
  /** Begins the name of a new pair. */
  readonly prefix: string;
}

const VARIABLES: PairWords = { one: "variable", prefix: "NAME_" };

/** Names with values. A name is changed when its field is left. */
export function PairsField({ label, help, owner, field, value, where, words = VARIABLES }: PairsFieldProps) {
  const { edit } = useForm();
  const problems = useProblems();
  const id = useId();
  const [wrong, setWrong] = useState<string | null>(null);
  const pairs = isFields(value) ? Object.entries(value) : [];
  const path = [...owner, field];
  const error = wrong ?? problemAt(problems, where);
  const add = () => {
    let number = pairs.length + 1;
    while (pairs.some(([name]) => name === `${words.prefix}${number}`)) number += 1;
    const name = `${words.prefix}${number}`;
    setWrong(
      edit((text) =>
        pairs.length > 0 ? setKey(text, path, name, "") : setKey(text, owner, field, { [name]: "" }, HOOK_ORDER),
      ),
    );
  };
  const remove = (name: string) =>
    setWrong(edit((text) => (pairs.length > 1 ? removeKey(text, path, name) : removeKey(text, owner, field))));
  const rename = (name: string, next: string) => {
    if (next !== name)
      setWrong(next === "" ? `A ${words.one} needs a name.` : edit((text) => renameKey(text, path, name, next)));
  };
  return (
    <fieldset className="flex flex-col gap-1.5" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {pairs.map(([name, of], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a renamed pair is the same pair
        <div key={at} className="flex items-center gap-1">
          <Input
            key={name}
            mono
            className="max-w-40"
            aria-label={`Name ${at + 1}`}
            defaultValue={name}
            onBlur={({ target }) => rename(name, target.value.trim())}
          />
          <TypedText
            mono
            aria-label={`Value of ${name}`}
            value={String(of ?? "")}
            onText={(next) => void edit((text) => setKey(text, path, name, next), true)}
          />
          <IconButton icon={X} label={`Remove ${name}`} onClick={() => remove(name)} />
        </div>
      ))}
      <div>
        <Button size="sm" onClick={add}>
          <Plus aria-hidden /> Add a {words.one}
        </Button>
      </div>
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        {help}
      </p>
    </fieldset>
  );
}
