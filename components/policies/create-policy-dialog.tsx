"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { createPolicy } from "@/server/policies/schema";

type Start = "example" | "empty";

const STARTS: readonly { start: Start; label: string; help: string }[] = [
  {
    start: "example",
    label: "From a starting policy",
    help: "It stops recursive deletes in a shell, and explains itself.",
  },
  { start: "empty", label: "Empty", help: "Just `hooks:`; the editor completes the rest." },
];

/** Names a policy and opens its editor. Nothing is in force until it is published. */
export function CreatePolicyDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New policy"
      description="It begins as a draft. No agent is bound before you publish it."
    >
      {open ? <Form onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const group = useId();
  const [name, setName] = useState("");
  const [start, setStart] = useState<Start>("example");
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useMutation(trpc.policies.create.mutationOptions());
  const isTaken = appCodeOf(create.error) === "name_taken";
  const submit = () => {
    const parsed = createPolicy.safeParse({ name, ...(start === "empty" ? { source: "hooks:\n" } : {}) });
    setWrong(parsed.success ? null : (parsed.error.issues[0]?.message ?? "This name cannot be used."));
    if (!parsed.success) return;
    create.mutate(parsed.data, {
      onSuccess: async ({ policyId }) => {
        await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
        router.push(`/policies/${policyId}`);
      },
    });
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
        help="As in the shell's rules, git safety, ci only."
        error={wrong ?? (isTaken && create.error ? failureSentence(create.error) : undefined)}
      >
        <Input
          autoFocus
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium text-sm">Begin</legend>
        {STARTS.map((one) => (
          <label key={one.start} className="flex cursor-pointer items-start gap-2">
            <input
              type="radio"
              name={group}
              className="mt-1 accent-accent"
              checked={start === one.start}
              onChange={() => setStart(one.start)}
            />
            <span>
              {one.label}
              <span className="block text-muted text-sm">{one.help}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-muted text-sm">
        Or{" "}
        <Link className="link" href="/policies?packs=1" onClick={onClose}>
          start from a pack
        </Link>
        : a ready policy, explained and tested.
      </p>
      {create.error && !isTaken ? <ErrorLine>{failureSentence(create.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending || create.isSuccess}>
          Create policy
        </Button>
      </div>
    </form>
  );
}
