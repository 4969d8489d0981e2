import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";

/** A mark for the trouble in the next turns. */
export function TroubleMark({ isTroubled }: { isTroubled: boolean | null }) {
  const [tone, label, says] =
    isTroubled === null
      ? (["unknown", "Not enough data", "Fewer than three turns followed the compaction."] as const)
      : isTroubled
        ? ([
            "error",
            "Worse",
            "More denied or failed calls, errors, loops or repeated questions after the compaction than before.",
          ] as const)
        : ([
            "allow",
            "Unchanged",
            "Denied and failed calls, errors, loops and repeated questions did not increase after the compaction.",
          ] as const);
  return (
    <Tooltip content={says}>
      <span>
        <Mark tone={tone} label={label} />
      </span>
    </Tooltip>
  );
}
