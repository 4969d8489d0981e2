"use client";

import { useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { parseAsStringLiteral } from "nuqs";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { WHICH } from "@/components/policies/review/reviews-drawer";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";

/** Opens the reviews, and shows the number that wait for this person. */
export function ReviewsButton() {
  useLiveQueries(["reviews"]);
  const trpc = useTRPC();
  const waiting = useQuery(trpc.reviews.waiting.queryOptions());
  const [, setWhich] = useDrawerParam("reviews", parseAsStringLiteral(WHICH));
  const count = waiting.data ?? 0;
  return (
    <Button onClick={() => void setWhich("current")}>
      <MessagesSquare aria-hidden /> <span className="max-lg:sr-only">Reviews</span>
      {count > 0 ? (
        <span className="rounded-full bg-ask-soft px-1.5 text-ask text-xs">
          {count}
          <span className="sr-only"> for you</span>
        </span>
      ) : null}
    </Button>
  );
}
