import { memo } from "react";
import type { Drawing } from "@/components/charts/geometry/drawing";

/** The bars and lines of all series. */
export const SeriesShapes = memo(function SeriesShapes({ drawing: { plots } }: { drawing: Drawing }) {
  return plots.map(({ key, bars, lines }) => (
    <g key={key}>
      {bars.map(({ series, path }) => (
        <path key={series.name} d={path} fill={series.colour} />
      ))}
      {lines.map(({ series, path, dots, dotRadius }) => (
        <g key={series.name}>
          <path d={path} fill="none" stroke={series.colour} strokeWidth={1.5} />
          {dots.map(({ x, y }) => (
            <circle key={x} cx={x} cy={y} r={dotRadius} fill={series.colour} />
          ))}
        </g>
      ))}
    </g>
  ));
});
