/** Two texts line by line: what left, what came, what stayed; whole, or as hunks with some lines around them. Pure. */
import { diffArrays } from "diff";

export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** Line number in the old text, from 1; null for an added line. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface Diff {
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
/** Past this many differences the texts are shown as replaced whole: exactness is worth no minute of waiting. */
const DISTANCE_MAX = 1_000;

/** Every line of both, in reading order; removed lines before those that replace them. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: DISTANCE_MAX }) ?? [
    { value: [...before], added: false, removed: true },
    { value: [...after], added: true, removed: false },
  ];
  let [left, right] = [0, 0];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, before: ++left, after: null };
      if (added) return { kind: "added", text, before: null, after: ++right };
      return { kind: "same", text, before: ++left, after: ++right };
    }),
  );
}

/** The changes between two texts with three lines around each; a line break at the end makes no difference. */
export function diffTexts(before: string, after: string): Diff {
  const lines = diffLines(linesOf(before), linesOf(after));
  return {
    hunks: hunksOf(lines),
    added: lines.filter((line) => line.kind === "added").length,
    removed: lines.filter((line) => line.kind === "removed").length,
  };
}

/** None of an empty text; a line break at the end begins no line. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const hunks: { from: number; to: number }[] = [];
  lines.forEach((line, at) => {
    if (line.kind === "same") return;
    const from = Math.max(0, at - CONTEXT);
    const to = Math.min(lines.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks.map(({ from, to }) => ({ lines: lines.slice(from, to) }));
}
