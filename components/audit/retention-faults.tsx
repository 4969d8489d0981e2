import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import type { RetentionFault } from "@/server/record/schema";

const RULES: Readonly<Record<string, string>> = {
  dispatches: "Dispatches",
  activity: "Activity",
  judge_calls: "Judges' calls",
  figures: "Figures",
};

/** Retention rules that failed, with the reason; renders nothing without failures. */
export function RetentionFaults({ faults }: { faults: readonly RetentionFault[] }) {
  if (faults.length === 0) return null;
  return (
    <Notice kind="danger">
      <ul aria-label="Failed rules" className="flex flex-col gap-1">
        {faults.map(({ rule, says, since, failedAt, failures }) => (
          <li key={rule}>
            {RULES[rule] ?? `The fixed retention of ${rule.replaceAll("_", " ")}`}: {says} Failed{" "}
            <RelativeTime at={failedAt} />
            {failures > 1 ? (
              <>
                , {failures} times since <RelativeTime at={since} />
              </>
            ) : null}
            . It is tried again within the hour; the other rules go on.
          </li>
        ))}
      </ul>
    </Notice>
  );
}
