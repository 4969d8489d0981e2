/** The cover of an evidence file, made from the lines of that file alone: it can say nothing that the file does not hold. */
import { checkpoint } from "../../audit/checkpoint.ts";
import { type EvidenceHead, evidenceHead, type RevisionLine, revisionLine } from "../../audit/evidence-lines.ts";
import { evidenceExitCode, evidenceReportText } from "../../audit/evidence-report.ts";
import { type SealLine, sealLine } from "../../audit/evidence-seal.ts";
import { type DispatchLine, type ExportHead, type ExportLine, exportLine } from "../../audit/export-lines.ts";
import { verifyEvidence } from "../../audit/verify-evidence.ts";
import { storedHooks } from "../../recording/schema.ts";
import { type CoverDocument, type CoverSection, type Fact, shortened } from "./cover-document.ts";

/** The limits of a cover. The rest is in the file, and the cover says how much. */
const DECISIONS_MAX = 100;
const SPANS_MAX = 40;
const REVISIONS_MAX = 20;
const INPUT_CHARACTERS_MAX = 2_000;
const REASON_CHARACTERS_MAX = 1_000;
const SOURCE_CHARACTERS_MAX = 12_000;

/** The lines of the file, by their types. */
interface EvidenceLines {
  readonly head: EvidenceHead;
  readonly revisions: readonly RevisionLine[];
  readonly spans: readonly Span[];
  readonly seal: SealLine;
}

interface Span {
  readonly head: ExportHead;
  readonly dispatches: readonly DispatchLine[];
  readonly checkpoints: readonly Extract<ExportLine, { type: "checkpoint" }>[];
  readonly end: Extract<ExportLine, { type: "end" }> | null;
}

export interface CoverFile {
  readonly name: string;
  readonly sha256: string;
}

/** The document for an evidence file. `keyIds` are the console's own keys, which the result of the check relies on. */
export async function evidenceCover(text: string, file: CoverFile, keyIds: readonly string[]): Promise<CoverDocument> {
  const report = await verifyEvidence(linesOf(text), { ids: keyIds });
  const [code, says] = [evidenceExitCode(report), evidenceReportText(report)];
  const lines = readLines(text);
  const { head, seal } = lines;
  // The first sentence of a proven file repeats the request.
  const stated = code !== 1 && report.isSealed ? says.slice(1) : says;
  const decisions = lines.spans
    .flatMap(({ dispatches }) => dispatches)
    .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  return {
    title: `Evidence of ${head.calls.toLocaleString("en-US")} ${head.calls === 1 ? "call" : "calls"}`,
    subtitle: `Workspace ${head.name}. Made by ${head.madeBy} at ${head.madeAt}. All times are UTC.`,
    result: RESULTS[code],
    sections: [
      { heading: "Check result", blocks: [{ kind: "list", items: stated }] },
      { heading: "Request", blocks: [{ kind: "facts", facts: requestFacts(head) }] },
      ...decisionSections(decisions),
      ...revisionSections(lines.revisions),
      ...proofSections(lines.spans, seal),
      verifySection(file, seal.key),
    ],
    file,
    madeAt: new Date(head.madeAt),
  };
}

const RESULTS = {
  0: { tone: "good", text: "The console checked the file when it made this cover: everything in it is proven." },
  1: { tone: "bad", text: "The console checked the file when it made this cover: it is NOT proven." },
  3: { tone: "open", text: "The console checked the file when it made this cover: a part of it is not proven yet." },
} as const;

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

function readLines(text: string): EvidenceLines {
  const values = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { type: string }])); // the file was verified just before
  const spans: (Omit<Span, "end"> & {
    dispatches: DispatchLine[];
    checkpoints: Span["checkpoints"][number][];
    end: Span["end"];
  })[] = [];
  const isSpanLine = ({ type }: { type: string }) => !["evidence", "key", "revision", "seal"].includes(type);
  for (const value of values.filter(isSpanLine)) {
    const line = exportLine.parse(value);
    const span = spans.at(-1);
    if (line.type === "export") spans.push({ head: line, dispatches: [], checkpoints: [], end: null });
    else if (line.type === "dispatch") span?.dispatches.push(line);
    else if (line.type === "checkpoint") span?.checkpoints.push(checkpoint.parse(line));
    else if (line.type === "end" && span) span.end = line;
  }
  return {
    head: evidenceHead.parse(values[0]),
    revisions: values.filter(({ type }) => type === "revision").map((value) => revisionLine.parse(value)),
    spans,
    seal: sealLine.parse(values.at(-1)),
  };
}

function requestFacts(head: EvidenceHead): Fact[] {
  return [
    { label: "Asked for", value: head.asked },
    { label: "Made by", value: head.madeBy },
    { label: "Made at", value: head.madeAt },
    { label: "Workspace", value: `${head.name} (${head.workspace})` },
    { label: "Calls in the file", value: String(head.calls) },
    { label: "Records of these calls", value: String(head.dispatches) },
    ...(head.unproven > 0
      ? [{ label: "Not in the file", value: `${head.unproven} that were recorded before single rows could be proven` }]
      : []),
  ];
}

function decisionSections(decisions: readonly DispatchLine[]): CoverSection[] {
  const shown = decisions.slice(0, DECISIONS_MAX);
  const sections = shown.map(
    (line, at): CoverSection => ({
      heading: `${at + 1}. ${VERDICTS[line.verdict] ?? line.verdict} · ${line.toolName ?? line.event}`,
      blocks: [{ kind: "facts", facts: decisionFacts(line) }],
    }),
  );
  const more = decisions.length - shown.length;
  if (more === 0) return sections;
  const text = `${more.toLocaleString("en-US")} more recorded questions are in the file and not on this cover.`;
  return [...sections, { heading: "More in the file", blocks: [{ kind: "text", text }] }];
}

const VERDICTS: Readonly<Record<string, string>> = {
  ...{ allow: "Allowed", ask: "Sent to a person", deny: "Denied", none: "No verdict", canceled: "Canceled" },
};
const CHECKS: Readonly<Record<string, string>> = { default: "check", preempt_yolo: "early check" };

function decisionFacts(line: DispatchLine): Fact[] {
  const { content } = line;
  const facts: Fact[] = [
    { label: "Agent", value: `${line.agentName} (${line.agentId})` },
    { label: "When", value: line.occurredAt },
    { label: "Session", value: line.sessionId, isMono: true },
    { label: "Event", value: `${line.event}, ${CHECKS[line.lane] ?? line.lane}` },
    ...(line.toolName === null ? [] : [{ label: "Tool", value: line.toolName }]),
    ...(line.toolUseId === null ? [] : [{ label: "Call", value: line.toolUseId, isMono: true as const }]),
    { label: "Record", value: line.id, isMono: true },
  ];
  if (content === null) return [...facts, { label: "Content", value: "Erased on request. Its digest is in the file." }];
  const reason = content.reason ?? reasonIn(content.answer);
  return [
    ...facts,
    ...hookFacts(content.hooks),
    ...(reason === null ? [] : [{ label: "Reason", value: shortened(reason, REASON_CHARACTERS_MAX) }]),
    { label: "Input", value: shortened(indented(content.input), INPUT_CHARACTERS_MAX), isMono: true },
  ];
}

/** The rules that ran, with the answer of each. */
function hookFacts(text: string): Fact[] {
  const hooks = storedHooks.safeParse(jsonOf(text)).data ?? [];
  if (hooks.length === 0) return [{ label: "Rules", value: "No rule ran." }];
  return hooks.map(({ policy, revision, path, name, outcome, said }) => ({
    label: "Rule",
    value: `${name === "" ? path : name}, policy ${policy}, revision ${revision}: ${outcome}${said === "" ? "" : `, ${shortened(said, REASON_CHARACTERS_MAX)}`}`,
  }));
}

function reasonIn(answer: string): string | null {
  const value = jsonOf(answer);
  if (typeof value !== "object" || value === null || !("reason" in value)) return null;
  return typeof value.reason === "string" && value.reason !== "" ? value.reason : null;
}

const indented = (json: string): string => {
  const value = jsonOf(json);
  return value === null ? json : JSON.stringify(value, null, 2);
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function revisionSections(revisions: readonly RevisionLine[]): CoverSection[] {
  return revisions.slice(0, REVISIONS_MAX).map(({ policy, revision, sha256, source }) => ({
    heading: `Rule text: ${policy}, revision ${revision}`,
    blocks: [
      { kind: "facts", facts: [{ label: "SHA-256", value: sha256, isMono: true }] },
      { kind: "code", text: shortened(source, SOURCE_CHARACTERS_MAX) },
    ],
  }));
}

function proofSections(spans: readonly Span[], seal: SealLine): CoverSection[] {
  const shown = spans.slice(0, SPANS_MAX).map(
    (span, at): CoverSection => ({
      heading: `Chain proof ${at + 1} of ${spans.length}`,
      blocks: [{ kind: "facts", facts: spanFacts(span) }],
    }),
  );
  const facts: Fact[] = [
    { label: "SHA-256", value: seal.sha256, isMono: true },
    { label: "Key", value: seal.key, isMono: true },
    { label: "Signature", value: seal.signature, isMono: true },
  ];
  const text = "The console signed every line of the file above its last line.";
  return [
    ...shown,
    {
      heading: "Seal of the file",
      blocks: [
        { kind: "text", text },
        { kind: "facts", facts },
      ],
    },
  ];
}

function spanFacts({ head, checkpoints, end }: Span): Fact[] {
  const signed = checkpoints.at(-1);
  return [
    { label: "Entries", value: `${head.from} to ${end?.seq ?? head.to}` },
    { label: "Hash before", value: head.previous, isMono: true },
    { label: "Hash at the end", value: end?.hash ?? "", isMono: true },
    ...(signed
      ? ([
          { label: "Checkpoint", value: `entry ${signed.seq}, signed at ${signed.at} with key ${signed.key}` },
          { label: "Signed hash", value: signed.hash, isMono: true },
          { label: "Signature", value: signed.signature, isMono: true },
        ] as const)
      : [{ label: "Checkpoint", value: "No checkpoint covers these entries yet." }]),
  ];
}

/** The commands that check the file and its covers, on a machine without a network. */
export function verifySection({ name, sha256 }: CoverFile, key: string): CoverSection {
  const covers = "--cover cover.html --cover cover.pdf";
  return {
    heading: "Verify it yourself",
    blocks: [
      {
        kind: "facts",
        facts: [
          { label: "File", value: name },
          { label: "SHA-256", value: sha256, isMono: true },
        ],
      },
      {
        kind: "list",
        items: [
          "You need Node 20 and the program quarterdeck-verify.mjs. The console serves it at /quarterdeck-verify.mjs. Take it from there, not from the sender of this file.",
          "The console shows its key under Audit, Proof. Compare the key there with the key in the command.",
          "The command needs no network.",
        ],
      },
      { kind: "code", text: `node quarterdeck-verify.mjs --trust ${key} ${covers} ${name}` },
    ],
  };
}
