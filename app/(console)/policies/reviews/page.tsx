import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { ReviewsPage } from "@/components/policies/review/reviews-page";

export const metadata: Metadata = { title: titleOf("/policies/reviews") };

export default async function Page() {
  await prefetch(trpc.reviews.waiting.queryOptions());
  return (
    <HydrateClient>
      <ReviewsPage />
    </HydrateClient>
  );
}
