import { cn } from "@/components/ui/cn";

/** Keys as they are written in `useHotkey`: "mod+k", "g d", "?". Both Ctrl and Cmd are the `mod` key. */
export function Kbd({ keys, inverse, className }: { keys: string; inverse?: boolean; className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-0.5", className)}>
      {keyCaps(keys).map((cap, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a cap may repeat ("g g"); the order is the identity
          key={index}
          className={cn(
            "inline-flex h-4 min-w-4 items-center justify-center rounded-sm border px-1 font-sans text-2xs",
            inverse ? "border-current/30" : "border-line bg-sunken text-muted",
          )}
        >
          {cap}
        </kbd>
      ))}
    </span>
  );
}

const WORDS: Record<string, string> = {
  mod: "Ctrl",
  shift: "Shift",
  enter: "Enter",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  home: "Home",
  end: "End",
};

/** The caps to draw for a chord or a sequence. */
export const keyCaps = (keys: string): string[] =>
  keys.split(" ").flatMap((chord) => {
    const parts = chord === "+" ? ["+"] : chord.split("+");
    // A letter is drawn as on its cap in a chord, as it is typed on its own.
    return parts.map((key) => WORDS[key] ?? (parts.length > 1 ? key.toUpperCase() : key));
  });
