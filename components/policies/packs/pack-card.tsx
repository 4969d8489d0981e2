"use client";

import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { counted } from "@/components/policies/labels";
import { InstalledPack } from "@/components/policies/packs/installed-pack";
import { PackPreview } from "@/components/policies/packs/pack-preview";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import type { PackView } from "@/server/packs/schema";

/** One pack: what it denies and asks, its effect on the last 24 hours, and the button that installs it. */
export function PackCard({ pack, onInstall }: { pack: PackView; onInstall: () => void }) {
  const heading = useId();
  const [isTextShown, showText] = useState(false);
  const count = pack.installed.length;
  const facts = [
    { label: "Denies", says: pack.denies || "nothing." },
    { label: "Asks about", says: pack.asks || "nothing." },
  ];
  const limits = [
    { label: "Lets through", says: pack.passes },
    { label: "Does not see", says: pack.limits },
  ];
  return (
    <li aria-labelledby={heading} className="flex min-w-0 flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={heading} className="font-semibold">
          {pack.title}
        </h3>
        <Badge>{pack.category}</Badge>
        <Badge look="outline">version {pack.version}</Badge>
        {count > 0 ? <Badge look="accent">installed</Badge> : null}
        <PermittedButton
          to="policy:write"
          className="ml-auto"
          onClick={onInstall}
          aria-label={`${count > 0 ? "Install again" : "Install"}: ${pack.title}`}
        >
          <Plus aria-hidden /> {count > 0 ? "Install again…" : "Install…"}
        </PermittedButton>
      </div>
      <p>{pack.promise}</p>
      <Facts facts={facts} />
      <PackPreview packId={pack.id} title={pack.title} />
      {pack.installed.map((one) => (
        <InstalledPack key={one.policyId} installed={one} version={pack.version} />
      ))}
      <Button variant="link" className="self-start" aria-expanded={isTextShown} onClick={() => showText(!isTextShown)}>
        {isTextShown ? "Hide the text" : `Read the text (${counted(pack.source.split("\n").length - 1, "line")})`}
      </Button>
      {isTextShown ? (
        <>
          <Facts facts={limits} />
          <p className="flex min-w-0 flex-wrap gap-1">
            {pack.events.map(({ event, hooks }) => (
              <Badge key={event} mono>
                {event} {hooks}
              </Badge>
            ))}
          </p>
          <CodeBlock code={pack.source} language="yaml" label={`Text of ${pack.title}`} maxHeight={360} />
        </>
      ) : null}
    </li>
  );
}

function Facts({ facts }: { facts: readonly { readonly label: string; readonly says: string }[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-3 gap-y-1 text-sm sm:grid-cols-[6rem_1fr]">
      {facts.map(({ label, says }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 break-words">{says.replaceAll("`", "")}</dd>
        </div>
      ))}
    </dl>
  );
}
