import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { PromptPage } from "@/components/judges/prompts/prompt-page";

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
      <PromptPage promptId={promptId} />
    </HydrateClient>
  );
}
