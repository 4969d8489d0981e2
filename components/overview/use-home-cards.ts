"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { toast } from "@/components/ui/toast";
import { DEFAULT_CARDS, type HomeCard } from "@/server/overview/home-cards/schema";

export interface HomeCardsControl {
  readonly cards: readonly HomeCard[];
  readonly isSaving: boolean;
  /** Shows these cards in this order; the ones before come back if they cannot be saved. */
  readonly save: (cards: readonly HomeCard[]) => void;
}

/** The cards of the reader. */
export function useHomeCards(): HomeCardsControl {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const queryKey = trpc.homeCards.get.queryKey();
  const { data } = useQuery(trpc.homeCards.get.queryOptions());
  const mutation = useMutation(
    trpc.homeCards.save.mutationOptions({
      // One after the other: the last press wins.
      scope: { id: "home cards" },
      async onMutate({ cards }) {
        await queries.cancelQueries({ queryKey });
        queries.setQueryData(queryKey, { cards, isDefault: cards.join() === DEFAULT_CARDS.join() });
      },
      onError: (error) => toast.error(`Couldn't save the cards. ${failureSentence(error)}`),
      onSettled: () => queries.invalidateQueries({ queryKey }),
    }),
  );
  return {
    cards: data?.cards ?? DEFAULT_CARDS,
    isSaving: mutation.isPending,
    save: (cards) => mutation.mutate({ cards: [...cards] }),
  };
}
