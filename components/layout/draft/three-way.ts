/**
 * Merges two people's changes of one text, line by line. Pure. Not a library: node-diff3 took more than a minute and a
 * half for two changes of 10,000 repetitive lines, which are typical of policies.
 */
import { diffLines } from "@/components/ui/code/line-diff";

/** A piece of the result: a merged one, or one that both sides changed differently. */
export type Piece =
  | { readonly kind: "settled"; readonly lines: readonly string[] }
  | {
      readonly kind: "open";
      readonly mine: readonly string[];
      readonly theirs: readonly string[];
      /** Where mine begins in my text, from 1. */
      readonly mineLine: number;
      readonly theirsLine: number;
    };
export type OpenPiece = Extract<Piece, { kind: "open" }>;

export const CHOICES = ["mine", "theirs", "both"] as const;
export type Choice = (typeof CHOICES)[number];

/**
 * The merge of two texts that came from `base`. A change that only one side made is taken; where both changed the same
 * or touching lines, differently, the piece is open. Without a base every difference is.
 */
export function mergePieces(base: string | null, mine: string, theirs: string): Piece[] {
  const [a, b] = [linesOf(mine), linesOf(theirs)];
  return base === null ? twoWay(a, b) : threeWay(linesOf(base), a, b);
}

/** The merged text, or null while any piece is open. */
export function mergedText(pieces: readonly Piece[]): string | null {
  return pieces.some(({ kind }) => kind === "open") ? null : chosenText(pieces, []);
}

/** The text that results from the choices, one per open piece in order; a piece without a choice keeps `mine`. */
export function chosenText(pieces: readonly Piece[], choices: readonly Choice[]): string {
  let at = 0;
  const lines = pieces.flatMap((piece) => {
    if (piece.kind === "settled") return piece.lines;
    const choice = choices[at++] ?? "mine";
    if (choice === "both") return [...piece.mine, ...piece.theirs];
    return choice === "mine" ? piece.mine : piece.theirs;
  });
  return lines.join("\n");
}

const linesOf = (text: string): string[] => text.split("\n");

/** Base lines `from` to `to` became the side's lines `start` to `end`; counted from 0, ends exclusive. */
interface Hunk {
  readonly side: "mine" | "theirs";
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

function hunksOf(side: Hunk["side"], base: readonly string[], changed: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let own = 0;
  let begun: { from: number; start: number } | null = null;
  const close = () => {
    if (begun) hunks.push({ side, ...begun, to: at, end: own });
    begun = null;
  };
  for (const { kind } of diffLines(base, changed)) {
    if (kind === "same") close();
    else begun ??= { from: at, start: own };
    if (kind !== "added") at += 1;
    if (kind !== "removed") own += 1;
  }
  close();
  return hunks;
}

/** Hunks that overlap or touch each other, together. */
function groupsOf(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  let end = -1;
  for (const hunk of [...hunks].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const group = groups.at(-1);
    if (group && hunk.from <= end) group.push(hunk);
    else groups.push([hunk]);
    end = Math.max(end, hunk.to);
  }
  return groups;
}

function threeWay(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Piece[] {
  const sides = { mine, theirs };
  /** The number of lines that each side has gained in the hunks before this one. */
  const gained = { mine: 0, theirs: 0 };
  const pieces: Piece[] = [];
  let at = 0;
  for (const group of groupsOf([...hunksOf("mine", base, mine), ...hunksOf("theirs", base, theirs)])) {
    const from = Math.min(...group.map((hunk) => hunk.from));
    const to = Math.max(...group.map((hunk) => hunk.to));
    pieces.push({ kind: "settled", lines: base.slice(at, from) });
    const start = { mine: from + gained.mine, theirs: from + gained.theirs };
    for (const hunk of group) gained[hunk.side] += hunk.end - hunk.start - (hunk.to - hunk.from);
    const a = sides.mine.slice(start.mine, to + gained.mine);
    const b = sides.theirs.slice(start.theirs, to + gained.theirs);
    const isOneSided = group.every(({ side }) => side === group[0]?.side);
    if (isOneSided) pieces.push({ kind: "settled", lines: group[0]?.side === "mine" ? a : b });
    else if (isSame(a, b)) pieces.push({ kind: "settled", lines: a });
    else pieces.push({ kind: "open", mine: a, theirs: b, mineLine: start.mine + 1, theirsLine: start.theirs + 1 });
    at = to;
  }
  pieces.push({ kind: "settled", lines: base.slice(at) });
  return joined(pieces);
}

function twoWay(mine: readonly string[], theirs: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let open: { mine: string[]; theirs: string[]; mineLine: number; theirsLine: number } | null = null;
  let mineLine = 1;
  let theirsLine = 1;
  for (const { kind, text } of diffLines(mine, theirs)) {
    if (kind === "same") {
      if (open) pieces.push({ kind: "open", ...open });
      open = null;
      pieces.push({ kind: "settled", lines: [text] });
    } else {
      open ??= { mine: [], theirs: [], mineLine, theirsLine };
      (kind === "removed" ? open.mine : open.theirs).push(text);
    }
    if (kind !== "added") mineLine += 1;
    if (kind !== "removed") theirsLine += 1;
  }
  if (open) pieces.push({ kind: "open", ...open });
  return joined(pieces);
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/** Settled stretches side by side are one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  let settled: string[] = [];
  const flush = () => {
    if (settled.length > 0) out.push({ kind: "settled", lines: settled });
    settled = [];
  };
  for (const piece of pieces) {
    if (piece.kind === "settled") for (const line of piece.lines) settled.push(line);
    else {
      flush();
      out.push(piece);
    }
  }
  flush();
  return out;
}
