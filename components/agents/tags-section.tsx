"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import type { AgentView } from "@/server/agents/schema";

/** Free words that costs are grouped by: a team, a product, an environment. */
export function TagsSection({ agent: { id, tags } }: { agent: AgentView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState<string | null>(null);
  const set = useMutation(trpc.agents.setTags.mutationOptions());
  const save = () =>
    set.mutate(
      {
        agentId: id,
        tags: (text ?? "")
          .split(",")
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ""),
      },
      {
        onSuccess: () => {
          toast.success("The tags are set");
          void queries.invalidateQueries({ queryKey: trpc.agents.pathKey() });
          setText(null);
        },
      },
    );
  return (
    <Section
      title="Tags"
      actions={
        text === null ? (
          <PermittedButton to="agent:write" size="sm" onClick={() => setText(tags.join(", "))}>
            Set tags
          </PermittedButton>
        ) : null
      }
    >
      {text === null ? (
        tags.length === 0 ? (
          <p className="text-muted text-sm">None. Costs can be grouped by them.</p>
        ) : (
          <p className="flex flex-wrap gap-1">
            {tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        )
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field label="Tags" help="Apart by commas: payments, prod.">
            <Input value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
          </Field>
          {set.error ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setText(null)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={set.isPending}>
              Save tags
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}
