import type { Metadata } from "next";
import { PromptStudio } from "@/app/(console)/policies/prompts/[promptId]/prompt-studio";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";

export const metadata: Metadata = { title: "Judge prompt" };

export default async function Page({ params }: { params: Promise<{ promptId: string }> }) {
  const { promptId } = await params;
  await prefetch(
    trpc.prompts.get.queryOptions({ promptId }),
    trpc.prompts.measures.queryOptions({ promptId }),
    trpc.judges.connections.queryOptions(),
  );
  return (
    <HydrateClient>
      <PromptStudio promptId={promptId} />
    </HydrateClient>
  );
}
