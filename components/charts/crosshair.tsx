import type { Drawing } from "@/components/charts/geometry/drawing";
import { selectionBox } from "@/components/charts/geometry/time-scale";

interface CrosshairProps {
  drawing: Drawing;
  /** The index of the bucket under the pointer. */
  index: number;
}

/** The instant that is pointed at, behind the series: the bands of its bars, or a line through its points. */
export function Crosshair({ drawing: { time, plots }, index }: CrosshairProps) {
  return plots.map(({ key, box }) => {
    const { x, y, width, height } = selectionBox(time, box, index, index);
    return width > 0 ? (
      <rect key={key} x={x} y={y} width={width} height={height} fill="var(--hover)" />
    ) : (
      <line key={key} x1={x} x2={x} y1={y} y2={y + height} stroke="var(--line-strong)" />
    );
  });
}

/** The points of lines at that instant, before the series. */
export function CrosshairDots({ drawing: { plots }, index }: CrosshairProps) {
  return plots.flatMap(({ lines }) =>
    lines.map(({ series, points }) => {
      const point = points[index];
      return point ? (
        <circle
          key={series.name}
          cx={point.x}
          cy={point.y}
          r={3}
          fill={series.colour}
          stroke="var(--surface)"
          strokeWidth={2}
        />
      ) : null;
    }),
  );
}

/** The stretch that is being drawn with the mouse, by the buckets at its ends. */
export function Selection({ drawing, from, to }: { drawing: Drawing; from: number; to: number }) {
  const { x, y, width, height } = selectionBox(drawing.time, drawing.area, from, to);
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      fill="var(--accent)"
      fillOpacity={0.14}
      stroke="var(--accent)"
      pointerEvents="none"
    />
  );
}
