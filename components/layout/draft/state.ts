/** The text that is being edited, what the server holds of it, and what becomes of it when somebody else changed it too. */
import { mergedText, mergePieces } from "@/components/layout/draft/three-way";

/** The text on the server: the part of a policy's view that a draft is about. */
export interface ServerDraft {
  readonly source: string;
  readonly publishedSource: string;
  readonly latestRevision: number;
  /** 0 when there is no draft. */
  readonly draftVersion: number;
  readonly draftUpdatedAt: Date | null;
  readonly draftUpdatedBy: string | null;
  readonly latestBy: string | null;
}

/** Another's change that went into this text by itself. */
export interface Merged {
  readonly by: string | null;
  readonly mine: string;
  readonly theirs: string;
  readonly result: string;
}

/** Two texts that only a person can bring together. */
export interface Conflict {
  /** The text that both began from; null when it is not known any more. */
  readonly base: string | null;
  readonly theirs: string;
  readonly by: string | null;
  /** The text on the server, on top of which the person's answer is saved. */
  readonly ground: ServerDraft;
  /** The revision that the draft stands on once it is decided; null to leave that as it is. */
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
  /** The reason that it could not be saved, in words. */
  readonly failure: string | null;
  /** Set while `phase` is "conflict". */
  readonly conflict: Conflict | null;
  readonly merged: Merged | null;
  /** The revision this text was brought up to, until the server knows. */
  readonly onto: number | null;
}

/** A text that met the server's other one. */
export function met(state: DraftState, base: string | null, held: ServerDraft): Partial<DraftState> {
  const by = held.draftVersion > 0 ? held.draftUpdatedBy : held.latestBy;
  return joined({ base, mine: state.text, theirs: held.source, by, ground: held, onto: null });
}

export function joined({ mine, ...conflict }: Conflict & { readonly mine: string }): Partial<DraftState> {
  const { base, theirs, by, ground, onto } = conflict;
  const result = mergedText(mergePieces(base, mine, theirs));
  if (result === null) return { phase: "conflict", failure: null, conflict, merged: null };
  // Where one text holds the other's change already there is nothing to tell.
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
