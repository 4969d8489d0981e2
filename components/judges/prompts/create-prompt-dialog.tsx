"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { createPrompt } from "@/server/prompts/schema";

/** Names a prompt and opens its studio. The name stays: policies name it by that. */
export function CreatePromptDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New judge prompt"
      description="It begins as a draft. No judge asks it before a policy holds a revision of it."
    >
      {open ? <Form onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useMutation(trpc.prompts.create.mutationOptions());
  const submit = () => {
    const parsed = createPrompt.safeParse({ name });
    setWrong(parsed.success ? null : (parsed.error.issues[0]?.message ?? "This name cannot be used."));
    if (!parsed.success) return;
    create.mutate(parsed.data, { onSuccess: ({ promptId }) => router.push(`/judges/prompts/${promptId}`) });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Name"
        help="As in shell-risk. It cannot be changed later: policies hold it as shell-risk@3."
        error={wrong ?? (create.error ? failureSentence(create.error) : undefined)}
      >
        <Input
          mono
          autoFocus
          value={name}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending || create.isSuccess}>
          Create prompt
        </Button>
      </div>
    </form>
  );
}
