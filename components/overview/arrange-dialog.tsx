"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { HOME_CARD_SPECS } from "@/components/overview/cards/home-cards";
import type { HomeCardsControl } from "@/components/overview/use-home-cards";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { DEFAULT_CARDS, HOME_CARDS, type HomeCard } from "@/server/overview/home-cards/schema";

type Direction = "up" | "down";

/** All cards, the shown ones first and in their order. */
export const arrangeable = (shown: readonly HomeCard[]): readonly HomeCard[] => [
  ...shown,
  ...HOME_CARDS.filter((card) => !shown.includes(card)),
];

/** The list after a card changed places with its neighbour. */
export function moved(order: readonly HomeCard[], card: HomeCard, direction: Direction): readonly HomeCard[] {
  const from = order.indexOf(card);
  const to = from + (direction === "up" ? -1 : 1);
  const other = order[to];
  if (from === -1 || other === undefined) return order;
  return order.with(from, other).with(to, card);
}

export interface ArrangeDialogProps {
  control: HomeCardsControl;
  onClose: () => void;
}

/** Shows, hides and orders the cards of Home. Each change is saved at once. Mounted while it is open. */
export function ArrangeDialog({ control: { cards, save, isSaving }, onClose }: ArrangeDialogProps) {
  // A card that is hidden stays at its place while the dialog is open.
  const [order, setOrder] = useState(() => arrangeable(cards));
  const [said, setSaid] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const focusOn = useRef<{ card: HomeCard; direction: Direction } | null>(null);
  useEffect(() => {
    // Synchronises the focus: a row that moved has lost it.
    const wanted = focusOn.current;
    if (wanted === null) return;
    focusOn.current = null;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-move="${wanted.card}"] button:enabled`);
    const [first, last] = [buttons?.[0], buttons?.[buttons.length - 1]];
    (wanted.direction === "up" ? first : last)?.focus();
  });
  const apply = (next: readonly HomeCard[], shown: readonly HomeCard[]) => {
    setOrder(next);
    save(next.filter((card) => shown.includes(card)));
  };
  const move = (card: HomeCard, direction: Direction) => {
    const next = moved(order, card, direction);
    focusOn.current = { card, direction };
    setSaid(`${HOME_CARD_SPECS[card].title}: place ${next.indexOf(card) + 1} of ${next.length}`);
    apply(next, cards);
  };
  const reset = () => {
    setSaid("Default cards restored");
    apply(arrangeable(DEFAULT_CARDS), DEFAULT_CARDS);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Arrange cards"
      description="Your changes apply only to your own Home page in this workspace."
      footer={
        <>
          <span role="status" className="mr-auto text-faint text-sm">
            <span className="sr-only">{said}. </span>
            {isSaving ? "Saving…" : "Saved"}
          </span>
          <Button onClick={reset}>Reset</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <ul ref={list} aria-label="Cards" className="flex flex-col divide-y divide-line rounded-md border">
        {order.map((card, at) => (
          <li key={card} className="flex items-center gap-2 px-3 py-2">
            <Checkbox
              className="min-w-0 flex-1"
              checked={cards.includes(card)}
              onChange={(isShown) => apply(order, isShown ? [...cards, card] : cards.filter((one) => one !== card))}
              label={HOME_CARD_SPECS[card].title}
              help={HOME_CARD_SPECS[card].about}
            />
            <div data-move={card} className="flex shrink-0">
              <IconButton
                icon={ArrowUp}
                label={`Move up ${HOME_CARD_SPECS[card].title}`}
                disabled={at === 0}
                onClick={() => move(card, "up")}
              />
              <IconButton
                icon={ArrowDown}
                label={`Move down ${HOME_CARD_SPECS[card].title}`}
                disabled={at === order.length - 1}
                onClick={() => move(card, "down")}
              />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
