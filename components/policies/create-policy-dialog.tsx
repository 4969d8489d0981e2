"use client";

import { PROFILES } from "@quarterdeck/hooks/contract/events";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { NameForm } from "@/components/layout/name-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { createPolicy } from "@/server/policies/schema";

/** The newest behaviour, as of the starter policy. */
const EMPTY = `profile: "${PROFILES.at(-1)}"\nhooks:\n`;

type Start = "example" | "empty";

const STARTS: readonly { start: Start; label: string; help: string }[] = [
  {
    start: "example",
    label: "From a starter policy",
    help: "The starter policy denies recursive deletes in a shell, with a reason.",
  },
  { start: "empty", label: "Empty", help: "A policy without rules. Add rules in the editor." },
];

/** Names a policy and opens its editor. Nothing is in force until it is published. */
export function CreatePolicyDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New policy"
      description="The policy starts as a draft and applies to no agent until you publish it."
    >
      {open ? <Form onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

const wrongWith = (name: string) => createPolicy.safeParse({ name }).error?.issues[0]?.message ?? null;

function Form({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const group = useId();
  const [start, setStart] = useState<Start>("example");
  const create = useMutation(
    trpc.policies.create.mutationOptions({
      onSuccess: async ({ policyId }) => {
        await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
        router.push(`/policies/${policyId}`);
      },
    }),
  );
  return (
    <NameForm
      help="For example: shell rules, git safety, CI only."
      action="Create policy"
      wrongWith={wrongWith}
      error={create.error}
      busy={create.isPending || create.isSuccess}
      onSubmit={(name) => create.mutate({ name, ...(start === "empty" ? { source: EMPTY } : {}) })}
      onCancel={onClose}
    >
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
        Or start from a tested pack, such as{" "}
        <Link className="link" href="/policies/packs?install=git-safety" onClick={onClose}>
          Git safety
        </Link>
        , or{" "}
        <Link className="link" href="/policies/packs" onClick={onClose}>
          choose a pack
        </Link>
        .
      </p>
    </NameForm>
  );
}
