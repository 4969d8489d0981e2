"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { NameForm } from "@/components/layout/name-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { createPrompt } from "@/server/prompts/schema";

/** Names a prompt and opens its studio. The name stays: policies name it by that. */
export function CreatePromptDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New judge prompt"
      description="The prompt starts as a draft. To use the prompt, publish a revision, then refer to that revision in a policy."
    >
      {open ? <Form onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

const wrongWith = (name: string) => createPrompt.safeParse({ name }).error?.issues[0]?.message ?? null;

function Form({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(trpc.prompts.create.mutationOptions());
  return (
    <NameForm
      mono
      charsMax={64}
      help="Lowercase letters, digits and dashes, such as shell-risk. The name can't be changed later: policies refer to shell-risk@3."
      action="Create prompt"
      wrongWith={wrongWith}
      error={create.error}
      busy={create.isPending || create.isSuccess}
      onSubmit={(name) =>
        create.mutate({ name }, { onSuccess: ({ promptId }) => router.push(`/policies/prompts/${promptId}`) })
      }
      onCancel={onClose}
    />
  );
}
