/** The differences between two texts, in words. */
import { diffTexts } from "@/components/ui/code/line-diff";

const PLACES_MAX = 4;

/** "line 12", "lines 12-14 and 20", "a removal at line 7", "the lines 12-14, and 3 more places": places in `after`. */
export function changedLines(before: string, after: string): string {
  const { added, removed } = spansOf(before, after);
  const shown = added.slice(0, PLACES_MAX);
  const more = added.length - shown.length;
  const parts: string[] = [];
  if (shown.length > 0) {
    const isOneLine = shown.length === 1 && shown[0]?.from === shown[0]?.to;
    parts.push(
      `${isOneLine ? "line" : "lines"} ${listed(shown.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)))}`,
    );
  }
  if (more > 0) parts.push(`${more} more changes`);
  if (removed.length > 0)
    parts.push(removed.length === 1 ? `a removal at line ${removed[0]}` : `${removed.length} removals`);
  return listed(parts);
}

interface Spans {
  readonly added: readonly { readonly from: number; readonly to: number }[];
  /** The lines of `after` at which lines were removed without a replacement. */
  readonly removed: readonly number[];
}

function spansOf(before: string, after: string): Spans {
  const added: { from: number; to: number }[] = [];
  const removed: number[] = [];
  for (const { lines } of diffTexts(before, after).hunks) {
    let next = lines[0]?.after ?? 1;
    let gone: number | null = null;
    const close = () => {
      if (gone !== null) removed.push(gone);
      gone = null;
    };
    for (const line of lines) {
      if (line.kind === "removed") gone ??= next;
      else {
        const last = added.at(-1);
        if (line.kind === "same") close();
        else if (last && last.to + 1 === line.after && line.after !== null) last.to = line.after;
        else if (line.after !== null) added.push({ from: line.after, to: line.after });
        // Added lines replace the removed ones.
        if (line.kind === "added") gone = null;
        next = (line.after ?? next) + 1;
      }
    }
    close();
  }
  return { added, removed };
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
