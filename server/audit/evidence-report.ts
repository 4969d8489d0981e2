/** The verification of an evidence file as sentences. An unproven statement is never printed as a fact. */
import type { EvidenceReport } from "./verify-evidence.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** 0: everything is proven. 1: something was altered or is missing. 3: no finding, but not everything is proven. */
export function evidenceExitCode({ findings, unsigned, isSealed, texts }: EvidenceReport): 0 | 1 | 3 {
  if (findings.length > 0) return 1;
  return unsigned > 0 || !isSealed || texts.unproven.length > 0 ? 3 : 0;
}

export function evidenceReportText(report: EvidenceReport): string[] {
  const { head, isSealed, findings } = report;
  if (findings.length > 0)
    return ["NOT proven:", ...findings.map((one) => `  ${one}`), `The file states, not proven: ${statedText(report)}.`];
  const about = isSealed
    ? [`${head.name} (${head.workspace}): ${head.asked}; made by ${head.madeBy} at ${head.madeAt}.`]
    : [`Workspace ${head.workspace}.`];
  return [
    ...about,
    ...dispatchLines(report),
    ...textLines(report),
    ...signatureLines(report),
    "Which dispatches the filter left out, no file can prove: export the record for that.",
  ];
}

const statedText = ({ head: { name, asked, madeBy, madeAt, calls, unproven } }: EvidenceReport) =>
  `${JSON.stringify(name)}, ${JSON.stringify(asked)}, made by ${JSON.stringify(madeBy)} at ${madeAt}, ${number(calls)} calls, ${number(unproven)} more that cannot be proven one by one`;

function dispatchLines({ head, isSealed, proven, erased, names }: EvidenceReport): string[] {
  const calls = isSealed ? ` over ${number(head.calls)} ${head.calls === 1 ? "call" : "calls"}` : "";
  const lines = [`${number(proven)} of ${number(head.dispatches)} dispatches${calls} are as they were recorded.`];
  if (erased > 0)
    lines.push(
      isSealed
        ? `${number(erased)} of them have no content any more: it was erased on request.`
        : `${number(erased)} of them have no content in the file.`,
    );
  if (names.erased > 0) {
    const many = `${number(names.erased)} ${names.erased === 1 ? "name of a person in its entries is" : "names of people in its entries are"}`;
    lines.push(isSealed ? `${many} not held any more: erased on request.` : `${many} not in the file.`);
  }
  if (isSealed && head.unproven > 0)
    lines.push(
      `${number(head.unproven)} more were recorded before rows could be proven one by one, and are not in the file.`,
    );
  return lines;
}

function textLines({ texts: { proven, unproven, absent } }: EvidenceReport): string[] {
  const lines: string[] = [];
  if (proven > 0)
    lines.push(
      `The ${proven === 1 ? "text of 1 revision is" : `texts of ${number(proven)} revisions are`} as published.`,
    );
  if (unproven.length > 0)
    lines.push(`Not proven: the text of ${unproven.join("; of ")}. No signed entry of the file published it.`);
  if (absent.length > 0) lines.push(`Not in the file: the text of ${absent.join("; of ")}.`);
  return lines;
}

function signatureLines(report: EvidenceReport): string[] {
  const { isSealed, unsigned, unknownKeys } = report;
  const lines: string[] = [];
  if (unsigned > 0) lines.push(`${number(unsigned)} dispatches stand in a stretch that no trusted key signed.`);
  if (unknownKeys.length > 0)
    lines.push(`Signatures of ${unknownKeys.join(", ")} were left out: that public key was not given.`);
  if (!isSealed) lines.push(`Stated by the maker of the file, not proven: ${statedText(report)}.`);
  return lines;
}
