"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Popover } from "@/components/ui/popover";
import { toast } from "@/components/ui/toast";

/** Marks a workspace with demo data, next to its name. It opens the explanation and the button that removes the data. */
export function DemoTag() {
  return (
    <Popover
      label="Demo data"
      align="start"
      className="flex w-72 flex-col gap-3"
      trigger={
        <button
          type="button"
          className="flex h-6 shrink-0 items-center gap-1 rounded-md border border-observe-line bg-observe-soft px-1.5 text-observe text-xs"
        >
          <FlaskConical aria-hidden className="size-3" /> Demo
        </button>
      }
    >
      <p>This workspace contains demo data: sample agents, policies and sessions.</p>
      <RemoveDemo />
    </Popover>
  );
}

function RemoveDemo() {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.demo.remove.mutationOptions({
      // Everything on screen may have been demo data, so the page is loaded again.
      onSuccess: () => window.location.assign("/"),
      onError: (error) => toast.error("Couldn't remove the demo data", { description: failureSentence(error) }),
    }),
  );
  return (
    <PermittedButton to="demo:remove" size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
      Remove demo data
    </PermittedButton>
  );
}
