"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Shorter than the pause of a stream between two messages. A browser counts rows that move again during a slide as a layout
 * shift.
 */
const SLIDE_MS = 64;

interface Positions {
  readonly question: string;
  readonly topById: ReadonlyMap<string, number>;
}

/**
 * Slides the rows of a table from their last position to the new one, when rows arrive above them or change places.
 * Rows of another question are drawn at once. Nothing slides for a person who prefers reduced motion.
 */
export function useRowSlide(body: RefObject<HTMLElement | null>, rows: readonly unknown[], question: string | null) {
  const before = useRef<Positions>({ question: "", topById: new Map() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions change with the list
  useLayoutEffect(() => {
    // Rows of an earlier question keep their positions until the answer comes.
    if (question === null) return;
    const elements = [...(body.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const last = before.current;
    // All positions are read before anything is animated: the browser would lay out the page again for each row.
    const tops = elements.map((row) => row.offsetTop);
    const topById = new Map(elements.map((row, index) => [row.dataset.row ?? "", tops[index] ?? 0]));
    before.current = { question, topById };
    if (last.question !== question) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [index, row] of elements.entries()) {
      const distance = (last.topById.get(row.dataset.row ?? "") ?? Number.NaN) - (tops[index] ?? 0);
      if (!distance) continue;
      const frames = [distance, 0].map((y) => ({ transform: `translateY(${y}px)` }));
      // Added to a slide that is under way, so that a row never jumps.
      row.animate(frames, { duration: SLIDE_MS, easing: "ease-out", composite: "add" });
    }
  }, [rows, question]);
}
