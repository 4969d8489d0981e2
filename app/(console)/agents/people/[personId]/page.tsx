import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { PersonPage } from "@/components/principals/person-page";

export const metadata: Metadata = { title: "Person" };

export default async function Page({ params }: { params: Promise<{ personId: string }> }) {
  const { personId } = await params;
  await prefetch(trpc.principals.person.queryOptions({ personId }), trpc.principals.names.queryOptions());
  return (
    <HydrateClient>
      <PersonPage personId={personId} />
    </HydrateClient>
  );
}
