import type { Box, Point, Size } from "@/components/charts/geometry/boxes";

/** The distance from the instant to the tooltip. */
const DISTANCE = 10;

/** The upper left corner of a tooltip: right of and below `at`, or on the other side if it would leave the area. */
export const tooltipPosition = (at: Point, size: Size, area: Box): Point => ({
  x: alongAxis(at.x, size.width, area.x, area.x + area.width),
  y: alongAxis(at.y, size.height, area.y, area.y + area.height),
});

function alongAxis(at: number, length: number, start: number, end: number): number {
  const after = at + DISTANCE;
  const before = at - DISTANCE - length;
  return Math.max(after + length > end ? before : after, start);
}
