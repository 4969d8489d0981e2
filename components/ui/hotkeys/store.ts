/**
 * The keys of the whole page in one listener: chords ("mod+k"), single keys ("j") and sequences ("g d").
 * Not for keys inside one widget; a menu or a text field handles its own.
 */

export interface Hotkey {
  /** As in `Kbd`: "mod+k", "g d", "?", "arrowdown". */
  keys: string;
  /** Its effect, for the list of shortcuts; none, not listed. */
  label?: string;
  group?: string;
  /** Works while a dialog or a text field has the focus. */
  anywhere?: boolean;
  run: (event: KeyboardEvent) => void;
}

const SEQUENCE_MS = 900;
const registered = new Set<Hotkey>();
const watchers = new Set<() => void>();
let snapshot: readonly Hotkey[] = [];
let prefix = "";
let prefixAt = 0;

/** The spelling of a key press: "mod+shift+k", "?", "arrowdown". */
export function spell(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  // A shifted character is already another character; only named keys say "shift".
  if (event.shiftKey && (key.length > 1 || event.ctrlKey || event.metaKey)) parts.push("shift");
  return [...parts, key].join("+");
}

/** The element takes typing, so plain keys belong to it. */
export const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"));

const isModalOpen = (): boolean =>
  document.querySelector("[role=dialog][data-state=open],[role=alertdialog][data-state=open],[role=menu]") !== null;

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const pressed = spell(event);
  const now = event.timeStamp;
  const sequence = prefix && now - prefixAt < SEQUENCE_MS ? `${prefix} ${pressed}` : "";
  prefix = "";
  const guarded = isEditable(event.target) || isModalOpen();
  // The latest registered wins: it belongs to the innermost component.
  const candidates = [...registered].reverse().filter((hotkey) => hotkey.anywhere || !guarded);
  const hit =
    (sequence && candidates.find((hotkey) => hotkey.keys === sequence)) ||
    candidates.find((hotkey) => hotkey.keys === pressed);
  if (hit) {
    event.preventDefault();
    hit.run(event);
  } else if (candidates.some((hotkey) => hotkey.keys.startsWith(`${pressed} `))) {
    prefix = pressed;
    prefixAt = now;
  }
}

function announce(): void {
  snapshot = [...registered];
  for (const watch of watchers) watch();
}

/** Listens for one hotkey until the returned function is called. */
export function register(hotkey: Hotkey): () => void {
  if (registered.size === 0) document.addEventListener("keydown", handle);
  registered.add(hotkey);
  announce();
  return () => {
    registered.delete(hotkey);
    if (registered.size === 0) document.removeEventListener("keydown", handle);
    announce();
  };
}

export function watchHotkeys(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

export const currentHotkeys = (): readonly Hotkey[] => snapshot;
