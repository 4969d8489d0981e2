/** A statement as CSV: one row for each line, its sums in every digit. Money is in nano-dollars, whole numbers that no program rounds. */
import { rowsToCsv } from "@/components/ui/table/export-rows";
import type { StatementView, Sums } from "@/server/costs/statements/schema";

interface Row {
  readonly part: string;
  readonly month: string;
  readonly agent: string;
  readonly model: string;
  readonly sums: Partial<Sums>;
}

const COUNTS = {
  priced: "priced_calls",
  free: "free_calls",
  unpriced: "unpriced_calls",
  correctedNano: "of_it_corrections_nano_usd",
  inputTokens: "input_tokens",
  cachedInputTokens: "cached_input_tokens",
  cachedWriteTokens: "cached_write_tokens",
  outputTokens: "output_tokens",
  reasoningTokens: "reasoning_tokens",
} as const satisfies Partial<Record<keyof Sums, string>>;

const big = (digits: string | undefined) => (digits === undefined ? null : BigInt(digits));
const isUnknown = ({ priced, free, unpriced }: Partial<Sums>) =>
  BigInt(unpriced ?? 0) > 0n && BigInt(priced ?? 0) === 0n && BigInt(free ?? 0) === 0n;

export function statementCsv({ content }: Pick<StatementView, "content">): Promise<string> {
  const { month, lines, adjustments, judges, judgeAdjustments, compactions } = content;
  const nobody = { agent: "", model: "" };
  const judged = ({ priced, free, unpriced, nano }: typeof judges) => ({ priced, free, unpriced, nano });
  const rows: Row[] = [
    ...lines.map((line) => ({ part: "calls", month, ...line })),
    ...adjustments.map((line) => ({ part: "adjustment", ...line })),
    { part: "judges", month, ...nobody, sums: judged(judges) },
    ...judgeAdjustments.map((one) => ({
      part: "judge adjustment",
      month: one.month,
      ...nobody,
      sums: judged(one.sums),
    })),
    { part: `${compactions.count} compactions, cost unknown`, month, ...nobody, sums: {} },
  ];
  // Holds: the keys of an object literal of this module.
  const names = Object.keys(COUNTS) as (keyof typeof COUNTS)[];
  return rowsToCsv<Row>(
    [
      { id: "part", header: "part", value: (row) => row.part },
      { id: "month", header: "month", value: (row) => row.month },
      { id: "agent", header: "agent", value: (row) => row.agent },
      { id: "model", header: "model", value: (row) => row.model },
      { id: "nano", header: "nano_usd", value: ({ sums }) => (isUnknown(sums) ? null : big(sums.nano)) },
      ...names.map((name) => ({ id: name, header: COUNTS[name], value: ({ sums }: Row) => big(sums[name]) })),
    ],
    rows,
  );
}
