/** The texts of an evidence file against the entries that published them, and against the decisions that name them. */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import type { RevisionLine } from "./evidence-lines.ts";
import { namesIn } from "./person-names.ts";

const published = z.object({
  kind: z.literal("policy_published"),
  policy: z.string(),
  revision: z.number(),
  sha256: z.string(),
  /** In entries before version 3, the name is among the objects' names, or missing. */
  name: z.string().optional(),
});
const spoken = z.array(z.object({ policy: z.string(), revision: z.number() }));

interface Publication {
  readonly seq: number;
  readonly name: string;
  readonly revision: number;
  readonly sha256: string;
}

export interface TextReport {
  /** Texts that a signed entry of the file published, under the name that the file gives. */
  readonly proven: number;
  /** `guard, revision 2`: the file does not prove that this text was published. */
  readonly unproven: readonly string[];
  /** Revisions whose hooks ran for a decision of the file, and whose text is not in it. */
  readonly absent: readonly string[];
  readonly findings: readonly string[];
}

const nameOf = ({ policy, revision }: Pick<RevisionLine, "policy" | "revision">) => `${policy}, revision ${revision}`;

export function createPublicationCheck() {
  const texts: RevisionLine[] = [];
  const proven: Publication[] = [];
  /** Each revision that a decision names, with the number of the earliest batch that does. */
  const used = new Map<string, number>();
  let stretch: Publication[] = [];
  let batch = 0;

  return {
    text: (line: RevisionLine) => void texts.push(line),
    entry(entry: Pick<ChainedEntry, "seq" | "kind" | "body">): void {
      batch = entry.seq;
      if (entry.kind !== "policy_published") return;
      const body = published.safeParse(jsonOf(entry.body)).data;
      const name = body?.name ?? namesIn(entry.body)?.objects[`policy/${body?.policy}`];
      if (body === undefined || name === undefined) return;
      stretch.push({ seq: entry.seq, name, revision: body.revision, sha256: body.sha256 });
    },
    /** The hooks of a dispatch of the batch whose entry came last. */
    hooks(text: string): void {
      for (const one of spoken.safeParse(jsonOf(text)).data ?? []) {
        if (one.policy === "" || one.revision < 1) continue;
        const name = nameOf(one);
        used.set(name, Math.min(used.get(name) ?? batch, batch));
      }
    },
    /** Ends a span. Only entries of a valid, signed span prove a text. */
    close(isProven: boolean): void {
      if (isProven) proven.push(...stretch);
      stretch = [];
    },
    end(): TextReport {
      const unproven: string[] = [];
      const findings: string[] = [];
      const named = new Set<string>();
      for (const text of texts) {
        const name = nameOf(text);
        if (named.has(name)) findings.push(`the text of ${name} is there twice`);
        named.add(name);
        const of = proven.filter((one) => one.name === text.policy && one.revision === text.revision);
        const same = of.filter(({ sha256 }) => sha256 === text.sha256);
        const first = used.get(name);
        if (of.length === 0) unproven.push(name);
        else if (same.length === 0) findings.push(`the text of ${name} is not the one that was published`);
        else if (first !== undefined && same.every(({ seq }) => seq > first))
          findings.push(`the text of ${name} was published after a decision that names it`);
      }
      const absent = [...used.keys()].filter((name) => !named.has(name));
      return { proven: texts.length - unproven.length - findings.length, unproven, absent, findings };
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
