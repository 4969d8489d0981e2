import type { ReactNode } from "react";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { exactMoney } from "@/components/ui/format/nano";
import type { StatementContent, Sums } from "@/server/costs/statements/schema";

type Line = { readonly month?: string; readonly agent: string; readonly model: string; readonly sums: Sums };

const callsOf = ({ priced, free, unpriced }: Sums) => BigInt(priced) + BigInt(free) + BigInt(unpriced);
const tokensOf = ({ inputTokens, cachedInputTokens, cachedWriteTokens, outputTokens }: Sums) =>
  BigInt(inputTokens) + BigInt(cachedInputTokens) + BigInt(cachedWriteTokens) + BigInt(outputTokens);

/** The contents of a statement, in the words it is closed in. */
export function StatementBody({ content }: { content: StatementContent }) {
  const { total, lines, adjustments, judges, judgeAdjustments, compactions } = content;
  const calls = callsOf(total);
  const adjusted = adjustments.reduce((sum, { sums }) => sum + BigInt(sums.nano), 0n);
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid gap-x-8 gap-y-2 rounded-md border bg-surface px-4 py-3 sm:grid-cols-[auto_1fr]">
        <Sum label="Model calls">
          {calls === 0n ? <Missing reason="No model calls in this month." /> : <Exact nano={BigInt(total.nano)} />}
          <span className="text-muted">
            {calls === 0n
              ? "no calls"
              : `${formatShare(calls - BigInt(total.unpriced), calls)} of ${plural(calls, "call")} priced · ${formatCount(BigInt(total.unpriced))} unpriced · ${formatCount(BigInt(total.free))} free`}
          </span>
        </Sum>
        <Sum label="Corrections, included above">
          {total.correctedNano === "0" ? (
            <span className="text-muted">none</span>
          ) : (
            <Exact nano={BigInt(total.correctedNano)} />
          )}
        </Sum>
        <Sum label="Adjustments to earlier months">
          {adjustments.length === 0 ? <span className="text-muted">none</span> : <Exact nano={adjusted} />}
        </Sum>
        <Sum label="Judges">
          {judges.calls === "0" ? (
            <Missing reason="No judge calls in this month." />
          ) : (
            <Exact nano={BigInt(judges.nano)} />
          )}
          <span className="text-muted">
            {judges.calls === "0"
              ? "no calls"
              : `${plural(BigInt(judges.calls), "call")} · ${formatCount(BigInt(judges.unpriced))} unpriced`}
            {judgeAdjustments.map(({ month, sums }) => ` · ${exactMoney(BigInt(sums.nano))} added late to ${month}`)}
          </span>
        </Sum>
        <Sum label="Compactions">
          <Missing reason="Agents report no cost for the model call that writes a summary, because it does not pass through a hook." />
          <span className="text-muted">
            {compactions.count === "0"
              ? "no summaries"
              : `${plural(BigInt(compactions.count), "summary", "summaries")}, cost not reported`}
          </span>
        </Sum>
      </dl>
      <Lines title="Cost by agent and model" lines={lines} empty="No model calls in this month." />
      {adjustments.length === 0 ? null : <Lines title="Adjustments to closed months" lines={adjustments} empty="" />}
    </div>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-3">{children}</dd>
    </>
  );
}

const Exact = ({ nano }: { nano: bigint }) => <code className="font-medium">{exactMoney(nano)}</code>;

function Lines({ title, lines, empty }: { title: string; lines: readonly Line[]; empty: string }) {
  const hasMonths = lines.some(({ month }) => month !== undefined);
  const heads = ["Calls", "Unpriced", "Tokens", "Corrections", "Spend"];
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-md">{title}</h3>
      {lines.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="inset-focus overflow-x-auto rounded-md border" tabIndex={0} aria-label={title}>
          <table className="w-full min-w-[36rem] text-sm">
            <thead>
              <tr className="border-line border-b text-left text-faint">
                {hasMonths ? <th className="px-3 py-1.5 font-normal">Month</th> : null}
                <th className="px-3 py-1.5 font-normal">Agent</th>
                <th className="px-3 py-1.5 font-normal">Model</th>
                {heads.map((head) => (
                  <th key={head} className="px-3 py-1.5 text-right font-normal">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ month, agent, model, sums }) => {
                const calls = callsOf(sums);
                const isUnknown = calls > 0n && calls === BigInt(sums.unpriced);
                return (
                  <tr key={JSON.stringify([month, agent, model])} className="border-line border-b last:border-b-0">
                    {hasMonths ? <td className="px-3 py-1.5">{month}</td> : null}
                    <td className="min-w-32 px-3 py-1.5">{agent}</td>
                    <td className="wrap-anywhere min-w-54 px-3 py-1.5">
                      {model || <span className="text-muted italic">no model</span>}
                    </td>
                    <td className="whitespace-nowrap px-3 py-1.5 text-right">{formatCount(calls)}</td>
                    <td className="whitespace-nowrap px-3 py-1.5 text-right">{formatCount(BigInt(sums.unpriced))}</td>
                    <td className="whitespace-nowrap px-3 py-1.5 text-right">{formatTokens(tokensOf(sums))}</td>
                    <td className="whitespace-nowrap px-3 py-1.5 text-right">
                      {sums.correctedNano === "0" ? (
                        <span className="text-faint">0</span>
                      ) : (
                        <Money nano={sums.correctedNano} />
                      )}
                    </td>
                    <td className="whitespace-nowrap px-3 py-1.5 text-right">
                      <Money
                        nano={isUnknown ? null : sums.nano}
                        zeroIsFree={sums.free !== "0" && sums.priced === "0"}
                        reason="All model calls are unpriced, so the cost is unknown."
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
