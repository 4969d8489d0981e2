/** Boxes of a drawing, in pixels from its upper left corner. */
import { AXIS_WIDTH, PANEL_GAP, PLOT_MARGIN, TIME_AXIS_HEIGHT } from "@/components/charts/plot-margins";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point, Size {}

/** The part of a drawing that holds values: all but the axes and the margins. */
export const plotArea = ({ width, height }: Size): Box => ({
  x: PLOT_MARGIN.left + AXIS_WIDTH,
  y: PLOT_MARGIN.top,
  width: Math.max(0, width - PLOT_MARGIN.left - AXIS_WIDTH - PLOT_MARGIN.right),
  height: Math.max(0, height - PLOT_MARGIN.top - TIME_AXIS_HEIGHT - PLOT_MARGIN.bottom),
});

/** The area cut into `count` panels of one height, one above the other. */
export function panelBoxes(area: Box, count: number): Box[] {
  const between = PANEL_GAP + PLOT_MARGIN.top;
  const height = Math.max(0, (area.height - between * (count - 1)) / count);
  return Array.from({ length: count }, (_, index) => ({ ...area, y: area.y + index * (height + between), height }));
}

/** Hundredths of a pixel are enough of a coordinate. */
export const round = (value: number): number => Math.round(value * 100) / 100;
