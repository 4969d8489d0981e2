/** The changes between two texts, line by line (Myers), as hunks with some lines around them. Pure. */

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
/** Past this many differences the middle is shown as replaced whole: exactness is worth no minute of waiting. */
const DISTANCE_MAX = 1_000;

export function diffTexts(before: string, after: string): Diff {
  const lines = diffLines(linesOf(before), linesOf(after));
  return {
    hunks: hunksOf(lines),
    added: lines.filter((line) => line.kind === "added").length,
    removed: lines.filter((line) => line.kind === "removed").length,
  };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Every line of both texts, in reading order; removed ones before those that take their place. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const steps = shortest(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const out: DiffLine[] = [];
  let x = 0;
  let y = 0;
  const emit = (kind: DiffLine["kind"]) => {
    const text = (kind === "added" ? after[y] : before[x]) ?? "";
    out.push({ kind, text, before: kind === "added" ? null : x + 1, after: kind === "removed" ? null : y + 1 });
    if (kind !== "added") x += 1;
    if (kind !== "removed") y += 1;
  };
  for (let at = 0; at < head; at += 1) emit("same");
  for (const step of steps) emit(step);
  for (let at = 0; at < tail; at += 1) emit("same");
  return out;
}

function shortest(a: readonly string[], b: readonly string[]): DiffLine["kind"][] {
  const replaced = () => [...a.map(() => "removed" as const), ...b.map(() => "added" as const)];
  if (a.length === 0 || b.length === 0) return replaced();
  const limit = Math.min(a.length + b.length, DISTANCE_MAX);
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let distance = 0; distance <= limit; distance += 1) {
    const next = new Map<number, number>();
    for (let k = -distance; k <= distance; k += 2) {
      const down = k === -distance || (k !== distance && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack([...trace, reach], a.length, b.length);
    }
    trace.push(reach);
    reach = next;
  }
  return replaced();
}

/** `trace[d]` holds how far each diagonal reached with d - 1 differences. */
function walkBack(trace: readonly Map<number, number>[], endX: number, endY: number): DiffLine["kind"][] {
  const steps: DiffLine["kind"][] = [];
  let x = endX;
  let y = endY;
  for (let distance = trace.length - 1; distance >= 0; distance -= 1) {
    const reach = trace[distance] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -distance || (k !== distance && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = reach.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    while (x > fromX && y > fromY) {
      steps.push("same");
      x -= 1;
      y -= 1;
    }
    if (distance > 0) {
      steps.push(down ? "added" : "removed");
      x = fromX;
      y = fromY;
    }
  }
  return steps.reverse();
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
