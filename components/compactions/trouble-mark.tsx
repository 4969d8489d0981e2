import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";

/** A mark for the trouble in the next turns. */
export function TroubleMark({ isTroubled }: { isTroubled: boolean | null }) {
  const [tone, label, says] =
    isTroubled === null
      ? (["unknown", "Not enough data", "Fewer than three turns followed the compaction."] as const)
      : isTroubled
        ? (["error", "Worse", "Failed calls, errors, loops or repeated questions, more often than before."] as const)
        : (["allow", "Unchanged", "No more failed calls, errors, loops or repeated questions than before."] as const);
  return (
    <Tooltip content={says}>
      <span>
        <Mark tone={tone} label={label} />
      </span>
    </Tooltip>
  );
}
