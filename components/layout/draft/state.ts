/** The state of a draft: the text being edited, the server's text, and the merge when another person changed it too. */
import { mergedText, mergePieces } from "@/components/layout/draft/three-way";

/** The text on the server: the part of a policy's view that a draft is about. */
export interface ServerDraft {
  readonly source: string;
  readonly publishedSource: string;
  readonly latestRevision: number;
  /** 0 without a draft. */
  readonly draftVersion: number;
  readonly draftUpdatedAt: Date | null;
  readonly draftUpdatedBy: string | null;
  readonly latestBy: string | null;
}

/** Another person's change that was merged into this text automatically. */
export interface Merged {
  readonly by: string | null;
  readonly mine: string;
  readonly theirs: string;
  readonly result: string;
}

/** Two texts that only a person can merge. */
export interface Conflict {
  /** The common base of both texts; null when it is no longer known. */
  readonly base: string | null;
  readonly theirs: string;
  readonly by: string | null;
  /** The text on the server, on top of which the person's answer is saved. */
  readonly ground: ServerDraft;
  /** The revision that the draft is based on after the choice; null keeps the current one. */
  readonly onto: number | null;
}

export interface DraftState {
  readonly text: string;
  /** The text the server holds. */
  readonly saved: string;
  readonly version: number;
  /** The latest revision when this text was begun. */
  readonly revision: number;
  readonly savedAt: Date | null;
  readonly phase: "idle" | "saving" | "failed" | "conflict";
  /** The reason why it could not be saved, as text. */
  readonly failure: string | null;
  /** Set while `phase` is "conflict". */
  readonly conflict: Conflict | null;
  readonly merged: Merged | null;
  /** The revision that this text was rebased onto, until the server confirms it. */
  readonly onto: number | null;
}

/** The state after the server was found to hold a different text. */
export function met(state: DraftState, base: string | null, held: ServerDraft): Partial<DraftState> {
  const by = held.draftVersion > 0 ? held.draftUpdatedBy : held.latestBy;
  return joined({ base, mine: state.text, theirs: held.source, by, ground: held, onto: null });
}

export function joined({ mine, ...conflict }: Conflict & { readonly mine: string }): Partial<DraftState> {
  const { base, theirs, by, ground, onto } = conflict;
  const result = mergedText(mergePieces(base, mine, theirs));
  if (result === null) return { phase: "conflict", failure: null, conflict, merged: null };
  // If one text already contains the other's change, there is no merge to report.
  const merged = result === mine || result === theirs ? null : { by, mine, theirs, result };
  return { ...stateOf(ground), text: result, merged, onto };
}

export function stateOf(held: ServerDraft): DraftState {
  return {
    text: held.source,
    saved: held.source,
    version: held.draftVersion,
    revision: held.latestRevision,
    savedAt: held.draftUpdatedAt,
    phase: "idle",
    failure: null,
    conflict: null,
    merged: null,
    onto: null,
  };
}
