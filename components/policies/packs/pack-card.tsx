"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { counted } from "@/components/policies/labels";
import { InstalledPack } from "@/components/policies/packs/installed-pack";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ErrorLine } from "@/components/ui/error-state";
import type { PackView } from "@/server/packs/schema";

/** One pack: its promise, its limits, what it is made of, and the button that makes a draft of it. */
export function PackCard({ pack }: { pack: PackView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const heading = useId();
  const [isTextShown, showText] = useState(false);
  const install = useMutation(trpc.packs.install.mutationOptions());
  const count = pack.installed.length;
  const take = () =>
    install.mutate(
      { packId: pack.id },
      {
        onSuccess: async ({ policyId }) => {
          await queries.invalidateQueries({ queryKey: trpc.packs.list.queryKey() });
          await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
          router.push(`/policies/${policyId}`);
        },
      },
    );
  const facts = [
    { label: "Denies", says: pack.denies || "nothing." },
    { label: "Asks about", says: pack.asks || "nothing." },
    { label: "Lets through", says: pack.passes },
    { label: "Does not see", says: pack.limits },
  ];
  return (
    <li aria-labelledby={heading} className="flex min-w-0 flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={heading} className="font-semibold">
          {pack.title}
        </h3>
        <Badge look="outline">version {pack.version}</Badge>
        {count > 0 ? <Badge look="accent">installed</Badge> : null}
        <Button
          className="ml-auto"
          busy={install.isPending || install.isSuccess}
          onClick={take}
          aria-label={`${count > 0 ? "Install again" : "Install as a draft"}: ${pack.title}`}
        >
          <Plus aria-hidden /> {count > 0 ? "Install again" : "Install as a draft"}
        </Button>
      </div>
      <p>{pack.promise}</p>
      <dl className="grid grid-cols-1 gap-x-3 gap-y-1 text-sm sm:grid-cols-[6rem_1fr]">
        {facts.map(({ label, says }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{says.replaceAll("`", "")}</dd>
          </div>
        ))}
        <dt className="text-muted">Hooks</dt>
        <dd className="flex min-w-0 flex-wrap gap-1">
          {pack.events.map(({ event, hooks }) => (
            <Badge key={event} mono>
              {event} {hooks}
            </Badge>
          ))}
        </dd>
      </dl>
      {pack.installed.map((one) => (
        <InstalledPack key={one.policyId} installed={one} version={pack.version} />
      ))}
      {install.error ? <ErrorLine>{failureSentence(install.error)}</ErrorLine> : null}
      <Button variant="link" className="self-start" aria-expanded={isTextShown} onClick={() => showText(!isTextShown)}>
        {isTextShown ? "Hide the text" : `Read the text (${counted(pack.source.split("\n").length - 1, "line")})`}
      </Button>
      {isTextShown ? (
        <CodeBlock code={pack.source} language="yaml" label={`Text of ${pack.title}`} maxHeight={360} />
      ) : null}
    </li>
  );
}
