"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { toast } from "@/components/ui/toast";

/** Says that what one sees is not real, and takes it away with one click. */
export function useDemoNotice(hasDemo: boolean): PageNotice | null {
  if (!hasDemo) return null;
  return {
    id: "demo",
    label: "Demo data",
    kind: "info",
    icon: FlaskConical,
    text: "This workspace holds demo data: its agents, policies and sessions are invented.",
    action: <RemoveDemo />,
  };
}

function RemoveDemo() {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.demo.remove.mutationOptions({
      // Everything on screen may have been demo data, so the page is loaded again.
      onSuccess: () => window.location.assign("/"),
      onError: (error) => toast.error("The demo data was not removed", { description: failureSentence(error) }),
    }),
  );
  return (
    <PermittedButton to="demo:remove" size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
      Remove demo data
    </PermittedButton>
  );
}
