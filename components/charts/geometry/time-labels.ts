/** Labels of the axis of time, as many as have room. */

export interface TimeLabel {
  /** The place of its middle. */
  readonly x: number;
  readonly text: string;
}

/** Approximate width of one character of a label, in pixels: letters, digits and system fonts differ. */
const CHARACTER_WIDTH = 6;
const GAP_MIN = 10;

const halfWidth = ({ text }: TimeLabel): number => (text.length * CHARACTER_WIDTH) / 2;

/**
 * The labels that do not overlap, in their order. The last one always stays; it is moved inwards if it would cross the
 * edge of the drawing.
 */
export function fitLabels(labels: readonly TimeLabel[], width: number): TimeLabel[] {
  const last = labels.at(-1);
  if (last === undefined) return [];
  const moved = { ...last, x: Math.min(last.x, width - halfWidth(last)) };
  const end = moved.x - halfWidth(moved) - GAP_MIN;
  const kept: TimeLabel[] = [];
  let start = 0;
  for (const label of labels.slice(0, -1)) {
    if (label.x - halfWidth(label) < start || label.x + halfWidth(label) > end) continue;
    kept.push(label);
    start = label.x + halfWidth(label) + GAP_MIN;
  }
  return [...kept, moved];
}
