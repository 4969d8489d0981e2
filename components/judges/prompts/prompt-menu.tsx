"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, FileCode, Trash2, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import type { DraftState } from "@/components/layout/draft/state";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { PromptDetailView } from "@/server/prompts/schema";

interface PromptMenuProps {
  prompt: PromptDetailView;
  draft: DraftState;
  onUse: () => void;
}

/** The actions on a prompt other than editing it. */
export function PromptMenu({ prompt, draft, onUse }: PromptMenuProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const discard = useMutation(trpc.prompts.discardDraft.mutationOptions());
  const { id: promptId, usedBy, latestRevision } = prompt;
  return (
    <>
      <Button onClick={onUse} disabled={latestRevision === 0} className="max-md:hidden">
        <FileCode aria-hidden /> Use in a policy…
      </Button>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More actions for this prompt" />}
        items={[
          { label: "Use in a policy…", icon: FileCode, onSelect: onUse, disabled: latestRevision === 0 },
          {
            label: "Discard the draft",
            icon: Undo2,
            disabled: draft.version === 0 || latestRevision === 0,
            onSelect: () =>
              discard.mutate(
                { promptId },
                {
                  onSuccess: () => {
                    void queries.invalidateQueries({ queryKey: trpc.prompts.get.queryKey({ promptId }) });
                    toast.success(`Restored revision ${latestRevision}`);
                  },
                  onError: (error) =>
                    toast.error("Couldn't discard the draft", { description: failureSentence(error) }),
                },
              ),
          },
          { kind: "separator" },
          {
            label: "Delete…",
            icon: Trash2,
            danger: true,
            disabled: usedBy.length > 0,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <ActDialog
        mutation={trpc.prompts.remove.mutationOptions()}
        input={isDeleting && { promptId }}
        onClose={() => setDeleting(false)}
        title={`Delete ${prompt.name}?`}
        confirm="Delete prompt"
        typed={prompt.name}
        onDone={async () => {
          await queries.invalidateQueries({ queryKey: trpc.prompts.list.queryKey() });
          router.push("/policies/prompts");
        }}
      >
        The prompt's revisions, trials and labels are deleted with it. No policy uses the prompt, so agents are not
        affected.
      </ActDialog>
    </>
  );
}
