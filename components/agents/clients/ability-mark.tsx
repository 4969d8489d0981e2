import { Missing } from "@/components/ui/format/missing";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import type { AbilityName, MatrixCell } from "@/server/dialects/matrix-schema";

export const ABILITY_LABELS: Readonly<Record<AbilityName, string>> = {
  deny: "Deny",
  ask: "Ask",
  rewriteInput: "Change the call",
  rewriteOutput: "Change the result",
  stop: "End the run",
};

type Kind = Exclude<MatrixCell, object> | "gap";

const LOOKS: Readonly<Record<Exclude<Kind, "none">, { readonly tone: Tone; readonly label: string }>> = {
  held: { tone: "allow", label: "yes" },
  denied: { tone: "deny", label: "denied" },
  ended: { tone: "canceled", label: "run ended" },
  gap: { tone: "error", label: "gap" },
};

/** The meanings of the marks, in the order of strength. */
export const LEGEND = [
  { ...LOOKS.held, says: "carried out" },
  { ...LOOKS.denied, says: "not supported: denies the call instead" },
  { ...LOOKS.ended, says: "not supported: ends the run instead" },
  { ...LOOKS.gap, says: "not supported: ignored" },
] as const;

/** The fate of one wish, in an icon and a word. */
export function AbilityMark({ cell, isPartly = false }: { cell: MatrixCell; isPartly?: boolean }) {
  const kind: Kind = typeof cell === "object" ? "gap" : cell;
  if (kind === "none") return <Missing reason="The client does not offer this ability on this event." />;
  const { tone, label } = LOOKS[kind];
  return <Mark tone={tone} look="plain" label={isPartly ? `${label}, partly` : label} />;
}
