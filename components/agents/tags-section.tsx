"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { Badge } from "@/components/ui/badge";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/server/agents/schema";

const TagsForm = loadWhenOpened(() => import("@/components/agents/tags-form").then((one) => one.TagsForm));

/** Free words that costs are grouped by and policies are applied to: a team, a product, an environment. */
export function TagsSection({ agent }: { agent: AgentView }) {
  const [isOpen, setOpen] = useState(false);
  const { tags } = agent;
  return (
    <Section
      title="Tags"
      actions={
        isOpen ? null : (
          <PermittedButton to="agent:write" size="sm" onClick={() => setOpen(true)}>
            Set tags
          </PermittedButton>
        )
      }
    >
      {isOpen ? (
        <TagsForm agent={agent} onClose={() => setOpen(false)} />
      ) : tags.length === 0 ? (
        <p className="text-muted text-sm">This agent has no tags. Use tags to group costs and to assign policies.</p>
      ) : (
        <p className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
    </Section>
  );
}
