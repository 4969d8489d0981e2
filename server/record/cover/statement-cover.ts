/** The document of a statement about a period, made from the statement alone. */
import { CONCLUSIONS } from "../../audit/statement.ts";
import type { Removal, Statement } from "../../audit/statement-schema.ts";
import type { CoverDocument, CoverSection, Fact } from "./cover-document.ts";
import { type CoverFile, verifySection } from "./evidence-cover.ts";

const TONES = { complete: "good", incomplete: "bad", unknown: "open" } as const;

export function statementCover(of: Statement, file: CoverFile, key: string): CoverDocument {
  const { period } = of;
  return {
    title: `Record of ${of.name}, ${period.first} to ${period.last}`,
    subtitle: `Verified at ${of.verifiedAt} for ${of.askedBy}. Days are counted in ${period.timeZone}; all times are UTC.`,
    result: { tone: TONES[of.verdict], text: CONCLUSIONS[of.verdict] },
    sections: [
      { heading: "Period", blocks: [{ kind: "facts", facts: periodFacts(of) }] },
      ...findingSections(of),
      removalSection(of),
      { heading: "Verification", blocks: [{ kind: "facts", facts: verificationFacts(of) }, ...notes(of.notes)] },
      verifySection(file, key),
    ],
    file,
    madeAt: new Date(of.verifiedAt),
  };
}

const formatted = (count: number): string => count.toLocaleString("en-US");

function periodFacts({ period, entries, isOver }: Statement): Fact[] {
  const range =
    entries.first === null || entries.last === null
      ? "No entry was recorded in this period."
      : `${formatted(entries.first)} to ${formatted(entries.last)}: ${formatted(entries.count)} entries`;
  return [
    { label: "From", value: `${period.from} (start of ${period.first})` },
    { label: "To", value: `${period.to} (end of ${period.last})${isOver ? "" : ", not over at the verification"}` },
    { label: "Entries", value: range },
    { label: "Dispatches", value: `${formatted(entries.dispatches)} in ${formatted(entries.batches)} batches` },
  ];
}

function findingSections({ verdict, altered, missing }: Statement): CoverSection[] {
  const blocks = [{ kind: "list" as const, items: [...altered, ...missing].map((text) => text.trim()) }];
  return [{ heading: verdict === "incomplete" ? "What does not hold" : "Result", blocks }];
}

function removalSection({ removals, removalCount }: Statement): CoverSection {
  const heading = "Erasures and removals that the record names";
  if (removals.length === 0)
    return { heading, blocks: [{ kind: "text", text: "The record names no erasure and no removal in this period." }] };
  const items = removals.map(({ seq, at, by, says }: Removal) => `Entry ${seq}, ${at}, ${by}: ${says}`);
  const more = removalCount - removals.length;
  return {
    heading,
    blocks: [
      { kind: "list", items },
      ...(more > 0 ? [{ kind: "text" as const, text: `${formatted(more)} more are in the record.` }] : []),
    ],
  };
}

function verificationFacts({ verified, checkpoints, product, askedAt, askedBy, workspace }: Statement): Fact[] {
  const { lastOutside } = checkpoints;
  return [
    { label: "Asked by", value: `${askedBy} at ${askedAt}` },
    { label: "Program", value: `Quarterdeck ${product}` },
    { label: "Workspace", value: workspace, isMono: true },
    {
      label: "Verified",
      value: `Entries ${formatted(verified.from)} to ${formatted(verified.to)}, ${formatted(verified.dispatches)} dispatches. Every hash was computed again.`,
    },
    { label: "Checkpoints", value: `${formatted(checkpoints.compared)} compared with the entries that they sign` },
    {
      label: "Last outside",
      value:
        lastOutside === null
          ? "No checkpoint from outside the database was available."
          : `entry ${formatted(lastOutside.seq)}, ${lastOutside.at}, key ${lastOutside.key}`,
    },
  ];
}

const notes = (items: readonly string[]) => (items.length === 0 ? [] : [{ kind: "list" as const, items }]);
