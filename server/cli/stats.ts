import { statsView } from "../overview/stats/schema.ts";
import { print, printJson } from "./print.ts";
import { ask } from "./server.ts";

/** Prints everything stored: as JSON for a script, else the sums a person wants. */
export async function stats(asJson: boolean): Promise<void> {
  const all = await ask("stats.everything", undefined, statsView);
  if (asJson) {
    printJson(all);
    return;
  }
  const { overall, sessions } = all;
  const { ledger } = overall;
  const tools = overall.tool_call_totals;
  const compactions = Object.values(overall.compactions).reduce((sum, { count }) => sum + count, 0);
  const share = ledger.calls === 0 ? "" : ` (${percent(ledger.priced + ledger.free, ledger.calls)} with a price)`;
  printSums("Stored", [
    ["events", count(overall.event_count)],
    ["sessions", `${count(sessions.all)} (${count(sessions.sub_sessions)} of them sub-sessions)`],
    ["compactions", count(compactions)],
  ]);
  printSums(
    "Tool calls",
    ["decided", "allow", "deny", "canceled", "prompted", "completed", "failed", "refused"].map((name) => [
      name,
      count(tools[name] ?? 0),
    ]),
  );
  printSums("Model calls", [
    ["calls", `${count(ledger.calls)}${share}`],
    ["priced", count(ledger.priced)],
    ["free", count(ledger.free)],
    ["unpriced", count(ledger.unpriced)],
    ["spend", `$${ledger.usd}`],
  ]);
  printSums(
    "Spend by model",
    // A zero sum may be free or unknown, and sums by model do not say which, so it is not shown as $0.
    Object.entries(ledger.by_model)
      .sort(([, left], [, right]) => Number(right.usd) - Number(left.usd) || right.calls - left.calls)
      .map(([model, { calls, usd }]) => [model, `${usd === "0" ? "-" : `$${usd}`} in ${count(calls)}`]),
  );
}

const count = (value: number) => value.toLocaleString("en-US");
const percent = (part: number, whole: number) => `${Math.floor((part / whole) * 100)} %`;

function printSums(title: string, rows: readonly (readonly [string, string])[]): void {
  if (rows.length === 0) return;
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  print(`${[title, ...lines].join("\n")}\n`);
}
