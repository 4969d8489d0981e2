import { callsHref } from "@/components/judges/query";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { causeWords, type JudgesSummary } from "@/server/judges/schema";

/** The reasons that judges did not answer, the most frequent first, each with what to do. Nothing when all answered. */
export function Failures({ summary, rangeText }: { summary: JudgesSummary; rangeText: string | null }) {
  const { failures, ledger } = summary;
  if (failures.length === 0) return null;
  return (
    <Section title="Failures by cause" aside={`${plural(ledger.failed, "call")} of ${formatCount(ledger.calls)}`}>
      <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface">
        {failures.map(({ cause, calls }) => {
          const { label, says } = causeWords(cause);
          return (
            <li
              key={cause}
              className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-0.5 px-3 py-2 md:grid-cols-[140px_120px_1fr]"
            >
              <Mark tone="error" label={label} look="plain" />
              <Link
                className="link justify-self-end tabular-nums md:justify-self-start"
                href={callsHref(rangeText, "cause", label)}
              >
                {plural(calls, "call")}
                <span className="text-muted">, {formatShare(calls, ledger.failed)}</span>
              </Link>
              <span className="col-span-2 text-muted text-sm md:col-span-1">{says}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
