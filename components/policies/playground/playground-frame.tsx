"use client";

import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useLocalStorage } from "@/components/ui/use-local-storage";
import { useMedia } from "@/components/ui/use-media";

const NARROWEST = 360;
const WIDEST = 900;
const FIRST = 480;
const isWidth = (stored: unknown): stored is number =>
  typeof stored === "number" && stored >= NARROWEST && stored <= WIDEST;
const within = (width: number): number => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));

/** True if the playground fits next to the editor. On a narrower page it replaces the editor. */
export const useRoomForPlayground = (): boolean => useMedia("(min-width: 1280px)");

/** The bench at the right of the editor, as wide as it was made last. */
export function PlaygroundFrame({ isBeside, children }: { isBeside: boolean; children: ReactNode }) {
  const [width, setWidth] = useLocalStorage("policy.bench", FIRST, isWidth);
  if (!isBeside) return <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>;
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    const bar = event.currentTarget;
    const from = event.clientX;
    bar.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => setWidth(within(width + from - moved.clientX));
    const end = () => bar.removeEventListener("pointermove", move);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", end, { once: true });
  };
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? 24 : event.key === "ArrowRight" ? -24 : 0;
    if (by === 0) return;
    event.preventDefault();
    setWidth(within(width + by));
  };
  return (
    <>
      <hr
        aria-label="Width of the playground"
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={NARROWEST}
        aria-valuemax={WIDEST}
        tabIndex={0}
        onPointerDown={drag}
        onKeyDown={step}
        className="m-0 h-auto w-1 shrink-0 cursor-col-resize touch-none border-0 bg-line hover:bg-accent focus-visible:bg-accent"
      />
      <div className="flex min-h-0 shrink-0 flex-col" style={{ width }}>
        {children}
      </div>
    </>
  );
}
