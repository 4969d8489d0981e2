/** A verification's report as sentences, with separate answers to the two questions. */
import type { Finding, Found } from "./findings.ts";
import type { VerificationReport } from "./verify.ts";

export interface ReportText {
  readonly altered: readonly string[];
  readonly missing: readonly string[];
  readonly notes: readonly string[];
}

const number = (value: number) => value.toLocaleString("en-US");
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

export function verificationReportText(report: VerificationReport): ReportText {
  return { altered: alteredOf(report), missing: missingOf(report), notes: notesOf(report) };
}

function alteredOf({ altered, entries, dispatches }: VerificationReport): string[] {
  if (altered.count > 0) return listed(altered, "thing was altered", "things were altered");
  const rows =
    dispatches && dispatches.held > 0 ? `, ${counted(dispatches.held, "dispatch", "dispatches")} as recorded` : "";
  return [`Nothing was altered: ${counted(entries.count, "entry holds", "entries hold")} together${rows}.`];
}

function missingOf({ missing, entries, checkpoints }: VerificationReport): string[] {
  const { lastOutside } = checkpoints;
  const lines =
    missing.count > 0 ? listed(missing, "thing is missing", "things are missing") : [wholeness(missing.state, entries)];
  if (lastOutside === null)
    lines.push("Without a checkpoint from outside nobody can say whether entries were cut off at the end.");
  else if (missing.unvouched !== null && missing.unvouched > 0)
    lines.push(
      `${counted(missing.unvouched, "entry", "entries")} after the last checkpoint (entry ${lastOutside.seq}, ${lastOutside.at}) cannot be vouched for.`,
    );
  return lines;
}

function wholeness(state: VerificationReport["missing"]["state"], { from, to }: VerificationReport["entries"]): string {
  const range = `entries ${from} to ${to}`;
  return state === "nothing" ? `Nothing is missing: ${range} are all there.` : `No gap in ${range}.`;
}

function notesOf({ entries, checkpoints, dispatches, names, earlier }: VerificationReport): string[] {
  const notes: string[] = [];
  if (earlier) {
    notes.push(
      entries.count === 0
        ? "Nothing was recorded since: no entry was verified now."
        : `Verified now: entries ${number(entries.from)} to ${number(entries.to)}.`,
      `Verified earlier: entries 1 to ${number(earlier.to)}, by ${earlier.by} at ${earlier.at}; the checkpoint of entry ${number(earlier.to)} still stands.`,
    );
  } else if (entries.from > 1) notes.push(`It begins at entry ${entries.from}; what was before is not part of it.`);
  if (entries.oldRule > 0)
    notes.push(
      `${counted(entries.oldRule, "entry is", "entries are")} of the first rule, which covers what was done and in which order, not when.`,
    );
  if (checkpoints.unknownKeys.length > 0)
    notes.push(
      `Checkpoints signed with ${checkpoints.unknownKeys.join(", ")} were left out: that public key was not given.`,
    );
  if (names.erased > 0)
    notes.push(
      `${counted(names.erased, "name of a person is", "names of people are")} not held any more: erased on request.`,
    );
  if (!dispatches) return notes;
  if (dispatches.erased > 0)
    notes.push(
      `${counted(dispatches.erased, "dispatch has", "dispatches have")} no content any more: it was erased on request.`,
    );
  if (dispatches.dropped > 0)
    notes.push(`${counted(dispatches.dropped, "dispatch is", "dispatches are")} not held any more, by retention.`);
  if (dispatches.unproven > 0)
    notes.push(
      `${counted(dispatches.unproven, "dispatch was", "dispatches were")} recorded before rows could be proven one by one.`,
    );
  return notes;
}

function listed({ findings, count }: Found, one: string, many: string): string[] {
  const more = count - findings.length;
  return [
    `${counted(count, one, many)}:`,
    ...findings.map((finding) => `  ${named(finding)}`),
    ...(more > 0 ? [`  and ${number(more)} more`] : []),
  ];
}

function named({ seq, kind, says }: Finding): string {
  if (seq === null || kind === null) return says;
  return `entry ${seq} (${kind}): ${says}`;
}

/**
 * 0: nothing altered, nothing missing. 1: there are findings. 3: no findings, but without a checkpoint a cut tail
 * cannot be ruled out.
 */
export function verificationExitCode({ altered, missing }: VerificationReport): 0 | 1 | 3 {
  if (altered.count > 0 || missing.count > 0) return 1;
  return missing.state === "unknown" ? 3 : 0;
}
