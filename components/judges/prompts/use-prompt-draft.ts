"use client";

import { useMemo } from "react";
import { draftText, judgedOf } from "@/components/judges/prompts/draft-text";
import type { ServerDraft } from "@/components/layout/draft/state";
import { useDraftAutosave } from "@/components/layout/draft/use-draft-autosave";
import { useTRPCClient } from "@/components/trpc/client";
import { appCodeOf } from "@/components/trpc/failure";
import type { PromptDetailView } from "@/server/prompts/schema";

/** The draft of a prompt as it is typed, and its keeper. */
export function usePromptDraft(prompt: PromptDetailView): ReturnType<typeof useDraftAutosave> {
  const client = useTRPCClient();
  const promptId = prompt.id;
  const held = useMemo(() => heldOf(prompt), [prompt]);
  return useDraftAutosave(held, {
    id: `prompt.${promptId}`,
    save: ({ source, baseVersion, baseRevision }) =>
      client.prompts.saveDraft.mutate({ promptId, ...judgedOf(source), baseVersion, baseRevision }),
    held: async () => heldOf(await client.prompts.get.query({ promptId })),
    isMovedOn: (error) => appCodeOf(error) === "prompt_moved_on",
  });
}

const heldOf = (prompt: PromptDetailView): ServerDraft => ({
  source: draftText(prompt.text),
  publishedSource: prompt.published ? draftText(prompt.published) : "",
  latestRevision: prompt.latestRevision,
  draftVersion: prompt.draftVersion,
  draftUpdatedAt: prompt.draftUpdatedAt,
  draftUpdatedBy: prompt.draftUpdatedBy,
  latestBy: prompt.publishedBy,
});
