/** Renders docs/faults.md from a server's real answers. faults.proof.test.ts fails if the file is stale. */
import { LIVE_PAGE_FAULTS } from "./live-page-faults.ts";

export interface FaultRow {
  readonly fault: string;
  /** The event as in the policy, with its lane. */
  readonly event: string;
  readonly profile: string;
  readonly because: "fails closed" | "on_error: block" | "any event" | "not a failure there";
  readonly verdict: "denied" | "no answer" | "the call runs";
  readonly reason: string;
}

export function faultsDocument(rows: readonly FaultRow[]): string {
  return [
    "# Faults",
    "",
    "<!-- Rendered from a run of server/dispatches/faults; `UPDATE_DOCS=1 npx vitest run server/dispatches/faults` writes it. -->",
    "",
    `This page lists the answer to an agent when a gate cannot do its work. It has ${rows.length} faults. A test makes each of them happen`,
    "to a running server over HTTP. The database, the spawner and the processes are real, and judges run on loopback.",
    "",
    "- **denied**: a verdict, recorded like any other.",
    "- **no answer**: an HTTP error instead of a verdict. The enrolled hook then ends in exit code 2, which blocks.",
    "- **the call runs**: in profile 2026-07, the one of a text without a profile, these faults of a command say nothing. The editor,",
    '  publishing and `quarterdeck policy lint` name each gate that this concerns. `profile: "2026-11"` above `hooks:` makes them deny.',
    "",
    "| fault | event | profile | because | verdict | reason given to the agent |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.toSorted(byFault).map((row) => {
      const cells = [row.fault, `\`${row.event}\``, row.profile, row.because, row.verdict, row.reason];
      return `| ${cells.map(cell).join(" | ")} |`;
    }),
    "",
    "## Live pages",
    "",
    "A fault of a live page never delays a gate, and no list leaves a call out. A test makes each of these happen.",
    "",
    "| fault | what the viewer gets |",
    "| --- | --- |",
    ...Object.entries(LIVE_PAGE_FAULTS).map(([fault, gets]) => `| ${cell(fault)} | ${cell(gets)} |`),
    "",
  ].join("\n");
}

/** Sorts by every field of a row, so that the document does not depend on the order of the faults. */
function byFault(left: FaultRow, right: FaultRow): number {
  const [first = "", second = ""] = [left, right].map(({ fault, event, profile, reason }) =>
    [fault, event, profile, reason].join("\n"),
  );
  return first < second ? -1 : Number(first > second);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(/\s+/g, " ").trim();
}
