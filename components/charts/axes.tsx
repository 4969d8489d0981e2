import { memo } from "react";
import type { Drawing } from "@/components/charts/geometry/drawing";

// Attributes alone, no classes: an exported picture knows no stylesheet.
const LABEL = { fontSize: 11, fill: "var(--faint)" } as const;
const LABEL_DISTANCE = 8;

/** The lines of the value axes, behind everything. */
export const Grid = memo(function Grid({ drawing: { area, plots } }: { drawing: Drawing }) {
  return plots.map(({ key, labels }) => (
    <g key={key}>
      {labels.map(({ value, y }) => (
        <line key={value} x1={area.x} x2={area.x + area.width} y1={y} y2={y} stroke="var(--line)" />
      ))}
    </g>
  ));
});

/** The labels of all axes, and the line of the time axis. */
export const Axes = memo(function Axes({ drawing: { area, plots, timeLabels } }: { drawing: Drawing }) {
  const bottom = area.y + area.height;
  return (
    <>
      {plots.map(({ key, labels }) => (
        <g key={key}>
          {labels.map(({ value, y, text }) => (
            <text key={value} x={area.x - LABEL_DISTANCE} y={y} dy="0.355em" textAnchor="end" {...LABEL}>
              {text}
            </text>
          ))}
        </g>
      ))}
      {plots.length > 0 ? (
        <>
          <line x1={area.x} x2={area.x + area.width} y1={bottom} y2={bottom} stroke="var(--line-strong)" />
          {timeLabels.map(({ x, text }) => (
            <text key={x} x={x} y={bottom + LABEL_DISTANCE} dy="0.71em" textAnchor="middle" {...LABEL}>
              {text}
            </text>
          ))}
        </>
      ) : null}
    </>
  );
});
