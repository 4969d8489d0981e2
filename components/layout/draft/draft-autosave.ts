import { type DraftState, joined, met, type ServerDraft, stateOf } from "@/components/layout/draft/state";

export type { DraftState, ServerDraft } from "@/components/layout/draft/state";

/**
 * Saves a draft shortly after the last keystroke, one save at a time, on top of the version that it began from.
 * Unconfirmed text is also kept in the browser, so that a closed tab loses nothing. If another person saved or
 * published a different text, both are merged if possible; otherwise the person resolves each conflict.
 * Does not depend on React; `useDraft` subscribes to it.
 */

export interface DraftPorts {
  save(draft: {
    source: string;
    baseVersion: number;
    baseRevision: number;
    onRevision?: number;
  }): Promise<{ version: number; updatedAt: Date }>;
  /** True when the server reported that another person saved or published. */
  isMovedOn(error: unknown): boolean;
  /** The text and versions that the server holds now. */
  held(): Promise<ServerDraft>;
  sentence(error: unknown): string;
  /** The text that is not confirmed yet, for the next visit. */
  readonly stash: Stash;
}

export interface Stash {
  read(): Stashed | null;
  write(stashed: Stashed | null): void;
}

export interface Stashed {
  readonly source: string;
  readonly version: number;
  readonly revision: number;
  /** The text it began from; null when that is not known. */
  readonly base: string | null;
}

const QUIET_MS = 700;
const RETRY_MS = 5_000;

export class DraftAutosave {
  state: DraftState;
  /** As the server drew it, before the browser's own copy was read. */
  readonly first: DraftState;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The versions of the draft that texts of this keeper came after. */
  private readonly replaced = new Set<number>();
  private saving: Promise<void> | null = null;
  private readonly watchers = new Set<() => void>();

  constructor(
    held: ServerDraft,
    private readonly ports: DraftPorts,
  ) {
    this.state = stateOf(held);
    this.first = this.state;
    const stashed = ports.stash.read();
    if (stashed === null || stashed.source === held.source) return;
    // Typed in this browser and never confirmed. If it is based on another version, there are two texts.
    const isOnSameGround = stashed.version === held.draftVersion && stashed.revision === held.latestRevision;
    const { source: text, version, revision, base } = stashed;
    this.state = { ...this.state, text, version, revision };
    if (!isOnSameGround) this.state = { ...this.state, ...met(this.state, base, held) };
  }

  /** Starts effects that must not run during rendering: saving the text that an earlier visit left unsaved. */
  start(): void {
    if (this.state.phase === "conflict") return;
    if (this.isDirty) this.saveIn(QUIET_MS);
    else this.ports.stash.write(null);
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
  readonly snapshot = (): DraftState => this.state;

  get isDirty(): boolean {
    return this.state.text !== this.state.saved || this.state.onto !== null;
  }

  type(text: string): void {
    if (text === this.state.text) return;
    const phase = this.state.phase === "failed" ? "idle" : this.state.phase;
    this.set({ text, phase, failure: null });
    this.stash();
    if (phase !== "conflict" && this.isDirty) this.saveIn(QUIET_MS);
  }

  /** Saves the pending text. Returns true if the server now holds it. */
  async saveNow(): Promise<boolean> {
    clearTimeout(this.timer);
    // Text typed during a save needs another save; a person who keeps typing is not waited for.
    for (let rounds = 0; rounds < 4; rounds += 1) {
      // When several callers wait for one save, the first starts the next save and the others wait for that one.
      while (this.saving !== null) await this.saving;
      const hasFailed = this.state.phase === "failed" && rounds > 0;
      if (!this.isDirty || this.state.phase === "conflict" || hasFailed) break;
      this.saving = this.save().finally(() => {
        this.saving = null;
      });
      await this.saving;
    }
    return !this.isDirty && this.state.phase !== "conflict";
  }

  /**
   * A newer state from the server. Untouched text follows it; typed text stays, and a conflict shows when it is saved.
   */
  refresh(held: ServerDraft): void {
    const isOnSameGround = held.draftVersion === this.state.version && held.latestRevision === this.state.revision;
    // Putting another revision in force changes the text and neither number.
    const isKnown = isOnSameGround && held.source === this.state.saved;
    // This answer may be older than a text that was saved or published here.
    const isOld = held.latestRevision < this.state.revision || this.replaced.has(held.draftVersion);
    if (isKnown || isOld || this.saving || this.isDirty || this.state.phase === "conflict") return;
    this.set(stateOf(held));
  }

  /** The other's text instead of this one. */
  takeTheirs(held: ServerDraft): void {
    this.ports.stash.write(null);
    this.set(stateOf(held));
  }

  /** Takes the text that a person merged from both. */
  settle(text: string): void {
    const { conflict } = this.state;
    if (conflict === null) return;
    this.set({ ...stateOf(conflict.ground), text, onto: conflict.onto });
    this.stash();
    if (this.isDirty) this.saveIn(0);
  }

  /** Undoes a merge: the person resolves every difference. Does nothing once the text was changed. */
  undoMerge(): void {
    const { merged, text, onto } = this.state;
    if (merged === null || text !== merged.result) return;
    clearTimeout(this.timer);
    const { mine, theirs, by } = merged;
    const conflict = { base: null, theirs, by, ground: this.ground(), onto };
    this.set({ text: mine, phase: "conflict", conflict, merged: null, onto: null });
    this.stash();
  }

  /** The merge was seen. */
  acknowledgeMerge(): void {
    this.set({ merged: null });
  }

  /** Brings the text from one revision's ground onto a newer one's. */
  bringUpTo(base: string, newer: { readonly number: number; readonly source: string; readonly author: string }): void {
    const ground = this.ground();
    this.set(
      joined({ base, mine: this.state.text, theirs: newer.source, by: newer.author, ground, onto: newer.number }),
    );
    this.stash();
    if (this.state.phase !== "conflict") this.saveIn(0);
  }

  private ground(): ServerDraft {
    const { saved, version, revision, savedAt } = this.state;
    const names = { draftUpdatedBy: null, latestBy: null };
    return {
      source: saved,
      publishedSource: "",
      latestRevision: revision,
      draftVersion: version,
      draftUpdatedAt: savedAt,
      ...names,
    };
  }

  /** The text is published; the draft is gone. */
  published(revision: number): void {
    clearTimeout(this.timer);
    const { text } = this.state;
    this.ports.stash.write(null);
    const nothing = { failure: null, conflict: null, merged: null, onto: null };
    this.set({ saved: text, version: 0, revision, savedAt: null, phase: "idle", ...nothing });
  }

  private saveIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.saveNow(), ms);
  }

  private async save(): Promise<void> {
    const { text, version, revision, onto } = this.state;
    this.set({ phase: "saving", failure: null });
    try {
      const onRevision = onto === null ? {} : { onRevision: onto };
      const saved = await this.ports.save({
        source: text,
        baseVersion: version,
        baseRevision: revision,
        ...onRevision,
      });
      // Version 0 means no draft. It is right again after a discard.
      if (version !== 0) this.replaced.add(version);
      this.set({ saved: text, version: saved.version, savedAt: saved.updatedAt, phase: "idle", onto: null });
      this.stash();
      if (this.isDirty) this.saveIn(QUIET_MS);
    } catch (error) {
      await (this.ports.isMovedOn(error) ? this.resolveConflict() : this.fail(error));
    }
  }

  /** Another person saved or published: fetches their text and merges it. */
  private async resolveConflict(): Promise<void> {
    try {
      const held = await this.ports.held();
      this.set(met(this.state, this.state.saved, held));
      this.stash();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.set({ phase: "failed", failure: this.ports.sentence(error) });
    this.saveIn(RETRY_MS);
  }

  private stash(): void {
    const { text, saved, version, revision, conflict } = this.state;
    const base = conflict ? conflict.base : saved;
    this.ports.stash.write(this.isDirty ? { source: text, version, revision, base } : null);
  }

  private set(change: Partial<DraftState>): void {
    this.state = { ...this.state, ...change };
    for (const watcher of this.watchers) watcher();
  }
}
