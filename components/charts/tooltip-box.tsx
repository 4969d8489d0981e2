import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { Box, Point } from "@/components/charts/geometry/boxes";
import { tooltipPosition } from "@/components/charts/geometry/tooltip-position";

export interface TooltipBoxProps {
  at: Point;
  /** The part of the drawing in which it stays if possible. */
  area: Box;
  children: ReactNode;
}

/** A box near a point of a drawing; it has to be measured before it has a place. */
export function TooltipBox({ at, area, children }: TooltipBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    const { offsetWidth: width, offsetHeight: height } = box.current;
    const { x, y } = tooltipPosition(at, { width, height }, area);
    box.current.style.transform = `translate(${x}px, ${y}px)`;
  });
  return (
    <div ref={box} className="pointer-events-none absolute top-0 left-0 z-10">
      {children}
    </div>
  );
}
