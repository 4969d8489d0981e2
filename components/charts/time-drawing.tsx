"use client";

import { type MouseEvent, memo, useMemo, useRef, useState } from "react";
import { Axes, Grid } from "@/components/charts/axes";
import { Crosshair, CrosshairDots, Selection } from "@/components/charts/crosshair";
import { type Drawing, type DrawingKind, layOutDrawing } from "@/components/charts/geometry/drawing";
import { type ChartPick, pickAt } from "@/components/charts/geometry/pick";
import { bucketAt, type HoverPoint } from "@/components/charts/geometry/time-scale";
import type { TimeModel } from "@/components/charts/prepare/time-model";
import { SeriesShapes } from "@/components/charts/series-shapes";
import { TimeInstant } from "@/components/charts/time-instant";
import { TooltipBox } from "@/components/charts/tooltip-box";
import { useDrag } from "@/components/charts/use-drag";
import { useSize } from "@/components/charts/use-size";
import { cn } from "@/components/ui/cn";

export interface TimeDrawingProps {
  model: TimeModel;
  kind: DrawingKind;
  hidden: ReadonlySet<string>;
  onRange?: ((from: Date, to: Date) => void) | undefined;
  onPick?: ((pick: ChartPick) => void) | undefined;
}

/**
 * The drawing itself. It costs more than any other part of a page, so it renders only when its own data changes. A
 * default export, so that scales and shapes load with the first chart.
 */
export default memo(TimeDrawing);

function TimeDrawing(props: TimeDrawingProps) {
  const { model, kind, hidden } = props;
  const [frame, size] = useSize<HTMLDivElement>();
  const drawing = useMemo(() => size && layOutDrawing(model, kind, hidden, size), [model, kind, hidden, size]);
  return (
    <div ref={frame} className="relative h-full">
      {drawing && hasRoom(drawing) ? <Surface {...props} drawing={drawing} /> : null}
    </div>
  );
}

const AFTER_TOUCH_MS = 1_000;

const hasRoom = ({ area }: Drawing): boolean => area.width > 0 && area.height > 0;

interface SurfaceProps extends TimeDrawingProps {
  drawing: Drawing;
}

/** The drawing under a mouse: pointing reads one instant, dragging selects a time span. */
function Surface({ model, kind, hidden, onRange, onPick, drawing }: SurfaceProps) {
  const [hover, setHover] = useState<HoverPoint | null>(null);
  const drag = useDrag(model, onRange);
  // A tap reads an instant; the browser sends mouse events after it.
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const { size, area, time } = drawing;
  const bucket = hover ? model.buckets[hover.index] : undefined;
  const locate = (surface: Element, { clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = surface.getBoundingClientRect();
    return bucketAt(time, area, { x: clientX - left, y: clientY - top });
  };
  const point = (event: MouseEvent<SVGSVGElement>) => {
    const found = locate(event.currentTarget, event);
    setHover(found);
    if (found) drag.move(found.index);
  };
  const press = (event: MouseEvent<SVGSVGElement>) => {
    const found = event.button === 0 ? locate(event.currentTarget, event) : null;
    if (found) drag.start(found.index);
  };
  const release = (event: MouseEvent<SVGSVGElement>) => {
    const isClick = event.button === 0 && drag.stretch === null && event.timeStamp - touchedAt.current > AFTER_TOUCH_MS;
    drag.finish();
    const found = isClick ? locate(event.currentTarget, event) : null;
    const picked = found && pickAt(model, hidden, drawing, found);
    if (picked) onPick?.(picked);
  };
  return (
    <>
      <svg
        aria-hidden="true"
        data-drawing
        width={size.width}
        height={size.height}
        viewBox={`0 0 ${size.width} ${size.height}`}
        className={cn("absolute inset-0 select-none", onRange ? "cursor-crosshair" : "cursor-default")}
        onMouseMove={point}
        onMouseDown={press}
        onMouseUp={release}
        onMouseLeave={() => {
          setHover(null);
          drag.cancel();
        }}
        onTouchStart={({ timeStamp }) => {
          touchedAt.current = timeStamp;
        }}
        onTouchMove={({ currentTarget, touches }) => {
          const touch = touches[0];
          if (touch) setHover(locate(currentTarget, touch));
        }}
      >
        <Grid drawing={drawing} />
        {hover && bucket ? <Crosshair drawing={drawing} index={hover.index} /> : null}
        <SeriesShapes drawing={drawing} />
        <Axes drawing={drawing} />
        {hover && bucket ? <CrosshairDots drawing={drawing} index={hover.index} /> : null}
        {drag.stretch ? <Selection drawing={drawing} {...drag.stretch} /> : null}
      </svg>
      {hover && bucket ? (
        <TooltipBox at={{ x: time.centres[hover.index] ?? area.x, y: hover.y }} area={area}>
          <TimeInstant model={model} bucket={bucket} hidden={hidden} stacked={kind === "bars"} />
        </TooltipBox>
      ) : null}
    </>
  );
}
