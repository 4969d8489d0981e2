"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { counted, listed } from "@/components/policies/labels";
import { HeldToolsTable } from "@/components/policies/packs/held-tools-table";
import { InstalledPack } from "@/components/policies/packs/installed-pack";
import { PackPreview } from "@/components/policies/packs/pack-preview";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { type PackView, packActs } from "@/server/packs/schema";

/** One pack: what it denies, asks and changes, its effect on the last 24 hours, and the button that installs it. */
export function PackCard({ pack, onInstall }: { pack: PackView; onInstall: () => void }) {
  const heading = useId();
  const [isOpen, setOpen] = useState(false);
  const [isTextShown, showText] = useState(false);
  const count = pack.installed.length;
  const lines = pack.source.split("\n").length - 1;
  const limits = [
    { label: "Allows", says: pack.passes },
    { label: "Not covered", says: pack.limits },
  ];
  return (
    <li aria-labelledby={heading} className="flex min-w-0 flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={heading} className="font-semibold">
          {pack.title}
        </h2>
        <Badge>{pack.category}</Badge>
        <Badge look="outline">version {pack.version}</Badge>
        {count > 0 ? <Badge look="accent">installed</Badge> : null}
        <PermittedButton
          to="policy:write"
          place="ml-auto"
          onClick={onInstall}
          aria-label={`${count > 0 ? "Install again" : "Install"}: ${pack.title}`}
        >
          <Plus aria-hidden /> {count > 0 ? "Install again…" : "Install…"}
        </PermittedButton>
      </div>
      <p>{pack.promise}</p>
      <Facts facts={packActs(pack)} />
      {pack.asks === "" ? null : (
        <p className="text-muted text-sm">
          Asks a person in the agent&apos;s terminal or on the Approvals page. You choose the place when you install the
          pack.
        </p>
      )}
      <PackPreview packId={pack.id} title={pack.title} />
      {pack.installed.map((one) => (
        <InstalledPack key={one.policyId} installed={one} version={pack.version} />
      ))}
      <Button variant="link" className="self-start" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide the details" : "Details"}
      </Button>
      {isOpen ? (
        <>
          <p>{howItWorks(pack)}</p>
          <Facts facts={limits} />
          {pack.tools.length > 0 ? (
            <HeldToolsTable tools={pack.tools} label={`Tools checked by ${pack.title}`} />
          ) : null}
          <Button
            variant="link"
            className="self-start"
            aria-expanded={isTextShown}
            onClick={() => showText(!isTextShown)}
          >
            {isTextShown ? `Hide the ${wordFor(pack)}` : `Show the ${wordFor(pack)} (${counted(lines, "line")})`}
          </Button>
          {isTextShown ? (
            <CodeBlock code={pack.source} language="yaml" label={`Text of ${pack.title}`} maxHeight={360} />
          ) : null}
        </>
      ) : null}
    </li>
  );
}

/** A pack whose hooks are shell commands has a script; the others have a text. */
const wordFor = ({ source }: PackView): string => (source.includes("type: command") ? "script" : "text");

/** "2 rules, a script each, run here: before a tool runs, after a tool ran." */
function howItWorks(pack: PackView): string {
  const rules = pack.events.reduce((sum, { hooks }) => sum + hooks, 0);
  const when = pack.events.map(({ event }) => eventTitle(event).toLowerCase());
  const by = wordFor(pack) === "script" ? (rules === 1 ? ", a script," : ", a script each,") : "";
  return `${counted(rules, "rule")}${by} ${rules === 1 ? "runs" : "run"} here: ${listed(when, 6)}. No code needed.`;
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
