import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ConnectPage } from "@/components/connect/connect-page";
import { PackImpact } from "@/components/policies/packs/pack-impact";

export const metadata: Metadata = { title: "Connect an agent" };

/** The packs that a first agent is offered, each with its effect on the recorded calls. */
const OFFERED = ["git-safety", "catastrophe-only", "secrets-out"];
const previews = Object.fromEntries(OFFERED.map((packId) => [packId, <PackImpact key={packId} packId={packId} />]));

export default async function Page() {
  await prefetch(trpc.agents.names.queryOptions(), trpc.packs.list.queryOptions());
  return (
    <HydrateClient>
      <ConnectPage previews={previews} />
    </HydrateClient>
  );
}
