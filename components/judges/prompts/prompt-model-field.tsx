"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ConnectionView } from "@/server/judges/schema";

export interface PromptModelFieldProps {
  value: string;
  onChange: (model: string) => void;
  connections: readonly Pick<ConnectionView, "name" | "prices">[];
}

const OFFERED_MAX = 6;

/** The model of a prompt, as CONNECTION/MODEL. While no connection answers, the models of the connections are offered. */
export function PromptModelField({ value, onChange, connections }: PromptModelFieldProps) {
  const list = useId();
  const offers = connections.flatMap(({ name, prices }) =>
    prices.length > 0 ? prices.map(({ model }) => `${name}/${model}`) : [`${name}/`],
  );
  const isConnected = connections.some(({ name }) => value.startsWith(`${name}/`));
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Field label="Model">
        <Input
          mono
          autoComplete="off"
          list={list}
          placeholder={offers[0] ?? "openai/gpt-4o-mini"}
          maxLength={200}
          value={value}
          onChange={(change) => onChange(change.target.value)}
        />
      </Field>
      <datalist id={list}>
        {offers.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {isConnected || offers.length === 0 ? null : (
        <fieldset aria-label="From your connections" className="flex flex-wrap gap-1.5">
          {offers.slice(0, OFFERED_MAX).map((model) => (
            <Button key={model} size="sm" onClick={() => onChange(model)}>
              <code className="max-w-48 truncate">{model.endsWith("/") ? `${model}…` : model}</code>
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
