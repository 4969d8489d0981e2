"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import type { Connection } from "@/components/connect/use-connection";
import { publishedOf, useInstallPack } from "@/components/connect/use-install-pack";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { PackView } from "@/server/packs/schema";

interface PolicyStepProps {
  connection: Connection;
  /** The packs that are offered, by id, each with its effect on the calls of this workspace. */
  previews: Readonly<Record<string, ReactNode>>;
}

/** A first policy for the agent, or the policies that are in force for it. */
export function PolicyStep({ connection, previews }: PolicyStepProps) {
  const { agent, row } = connection;
  if (agent === null || row === null) return null;
  if (row.policies.length > 0)
    return (
      <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <Mark tone="allow" look="plain" label="In force" />
        {row.policies.map(({ id, name }) => (
          <Link key={id} className="link" href={`/policies/${id}`}>
            {name}
          </Link>
        ))}
      </p>
    );
  return <PackChoice agent={agent} previews={previews} />;
}

interface PackChoiceProps {
  agent: NonNullable<Connection["agent"]>;
  previews: PolicyStepProps["previews"];
}

function PackChoice({ agent, previews }: PackChoiceProps) {
  const trpc = useTRPC();
  const packs = useQuery(trpc.packs.list.queryOptions());
  const offered = packs.data?.filter(({ id }) => id in previews) ?? [];
  const [chosenId, setChosen] = useState<string | null>(null);
  const chosen = offered.find(({ id }) => id === chosenId) ?? offered[0];
  const { putInForce, error, isBusy } = useInstallPack(agent.id);
  const existing = chosen && publishedOf(chosen);
  const group = useId();
  if (packs.error && !packs.data) return <ErrorLine>{failureSentence(packs.error)}</ErrorLine>;
  if (!chosen)
    return (
      <Loading label="the packs">
        <SkeletonText lines={4} />
      </Loading>
    );
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-muted text-sm">Pack</legend>
        {offered.map((pack) => (
          <PackOption
            key={pack.id}
            pack={pack}
            group={group}
            isChosen={pack === chosen}
            onChoose={() => setChosen(pack.id)}
            preview={previews[pack.id]}
          />
        ))}
      </fieldset>
      {existing ? <p className="text-muted text-sm">The policy {existing.name} will apply to this agent too.</p> : null}
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      <div className="flex flex-wrap items-center gap-3">
        <PermittedButton
          to="policy:publish"
          variant="primary"
          busy={isBusy}
          // The failure is shown by the mutations' own state.
          onClick={() => void putInForce(chosen).catch(() => undefined)}
        >
          Put {chosen.title} in force for {agent.name}
        </PermittedButton>
        <Link className="link text-sm" href="/policies/packs">
          All packs
        </Link>
      </div>
    </div>
  );
}

interface PackOptionProps {
  pack: PackView;
  group: string;
  isChosen: boolean;
  onChoose: () => void;
  preview: ReactNode;
}

function PackOption({ pack, group, isChosen, onChoose, preview }: PackOptionProps) {
  const says = pack.denies === "" ? pack.promise : `Denies ${pack.denies.replaceAll("`", "")}`;
  return (
    <div className="flex flex-col gap-1 rounded-md border bg-surface p-3">
      <label className="flex cursor-pointer items-start gap-2">
        <input type="radio" name={group} className="mt-1 accent-accent" checked={isChosen} onChange={onChoose} />
        <span className="min-w-0">
          <span className="font-medium">{pack.title}</span>
          <span className="block text-muted text-sm">{says}</span>
        </span>
      </label>
      {isChosen ? <div className="pl-5 text-sm">{preview}</div> : null}
    </div>
  );
}
