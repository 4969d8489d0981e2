"use client";

import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { TypedText } from "@/components/policies/form/typed-text";
import { useTRPC } from "@/components/trpc/client";

/** The model that judges, as text; the models of the connections' price lists are offered, and any other can be typed. */
export function ModelField(props: ComponentProps<typeof TypedText>) {
  const trpc = useTRPC();
  const list = useId();
  const { data = [] } = useQuery({ ...trpc.judges.connections.queryOptions(), staleTime: 60_000 });
  const models = data.flatMap(({ name, prices }) => prices.map(({ model }) => `${name}/${model}`));
  return (
    <>
      <TypedText {...props} mono list={list} placeholder={models[0] ?? "openai/gpt-4o-mini"} />
      <datalist id={list}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}
