/**
 * Keeps what is typed: saves it a moment after the last keystroke, one save at a time, on top of the version it began
 * from. What the server has not confirmed also lies in the browser, so that a closed tab loses nothing.
 * Knows no React; `useDraft` watches it.
 */

/** What the server holds: the part of a policy's view that a draft is about. */
export interface Held {
  readonly source: string;
  readonly publishedSource: string;
  readonly latestRevision: number;
  /** 0 when there is no draft. */
  readonly draftVersion: number;
  readonly draftUpdatedAt: Date | null;
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
  /** Why it could not be saved, in words. */
  readonly failure: string | null;
}

export interface DraftPorts {
  save(draft: {
    source: string;
    baseVersion: number;
    baseRevision: number;
  }): Promise<{ version: number; updatedAt: Date }>;
  /** True when the server said that somebody else saved or published meanwhile. */
  isMovedOn(error: unknown): boolean;
  sentence(error: unknown): string;
  /** What is not confirmed yet, for the next visit. */
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
}

const QUIET_MS = 700;
const RETRY_MS = 5_000;

export class DraftKeeper {
  state: DraftState;
  /** As the server drew it, before the browser's own copy was read. */
  readonly first: DraftState;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> | null = null;
  private readonly watchers = new Set<() => void>();

  constructor(
    held: Held,
    private readonly ports: DraftPorts,
  ) {
    this.state = stateOf(held);
    this.first = this.state;
    const stashed = ports.stash.read();
    if (stashed === null || stashed.source === held.source) return;
    // Typed in this browser and never confirmed. On another version's ground it is a conflict, not a draft.
    const isOnSameGround = stashed.version === held.draftVersion && stashed.revision === held.latestRevision;
    this.state = { ...this.state, ...stashed, text: stashed.source, phase: isOnSameGround ? "idle" : "conflict" };
  }

  /** Begins what a page that is only being drawn must not: saving what an earlier visit left behind. */
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
    return this.state.text !== this.state.saved;
  }

  type(text: string): void {
    if (text === this.state.text) return;
    const phase = this.state.phase === "failed" ? "idle" : this.state.phase;
    this.set({ text, phase, failure: null });
    this.stash();
    if (phase !== "conflict" && this.isDirty) this.saveIn(QUIET_MS);
  }

  /** Saves what there is to save. Answers whether the server now holds the text. */
  async saveNow(): Promise<boolean> {
    clearTimeout(this.timer);
    // What is typed while a save is under way needs one more; a person who types on and on is not waited for.
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await this.saving;
      const hasFailed = this.state.phase === "failed" && rounds > 0;
      if (!this.isDirty || this.state.phase === "conflict" || hasFailed) break;
      this.saving = this.save().finally(() => {
        this.saving = null;
      });
      await this.saving;
    }
    return !this.isDirty && this.state.phase !== "conflict";
  }

  /** A newer view from the server. Untouched text follows it; typed text stays and finds out when it saves. */
  renew(held: Held): void {
    const isOlder = held.draftVersion === this.state.version && held.latestRevision === this.state.revision;
    if (isOlder || this.saving || this.isDirty || this.state.phase === "conflict") return;
    this.set(stateOf(held));
  }

  /** The other's text instead of this one. */
  takeTheirs(held: Held): void {
    this.ports.stash.write(null);
    this.set(stateOf(held));
  }

  /** This text on top of the other's, knowingly. */
  keepMine(held: Held): void {
    const { text } = this.state;
    this.set({ ...stateOf(held), text });
    this.stash();
    if (this.isDirty) this.saveIn(0);
  }

  /** The text is in force now; there is no draft any more. */
  published(revision: number): void {
    clearTimeout(this.timer);
    const { text } = this.state;
    this.ports.stash.write(null);
    this.set({ saved: text, version: 0, revision, savedAt: null, phase: "idle", failure: null });
  }

  private saveIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.saveNow(), ms);
  }

  private async save(): Promise<void> {
    const { text, version, revision } = this.state;
    this.set({ phase: "saving", failure: null });
    try {
      const saved = await this.ports.save({ source: text, baseVersion: version, baseRevision: revision });
      this.set({ saved: text, version: saved.version, savedAt: saved.updatedAt, phase: "idle" });
      this.stash();
      if (this.isDirty) this.saveIn(QUIET_MS);
    } catch (error) {
      if (this.ports.isMovedOn(error)) this.set({ phase: "conflict", failure: null });
      else {
        this.set({ phase: "failed", failure: this.ports.sentence(error) });
        this.saveIn(RETRY_MS);
      }
    }
  }

  private stash(): void {
    const { text, version, revision } = this.state;
    this.ports.stash.write(this.isDirty ? { source: text, version, revision } : null);
  }

  private set(change: Partial<DraftState>): void {
    this.state = { ...this.state, ...change };
    for (const watcher of this.watchers) watcher();
  }
}

function stateOf(held: Held): DraftState {
  return {
    text: held.source,
    saved: held.source,
    version: held.draftVersion,
    revision: held.latestRevision,
    savedAt: held.draftUpdatedAt,
    phase: "idle",
    failure: null,
  };
}
