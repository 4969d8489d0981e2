/** Evidence of the calls that a filter finds: their decisions as a file that proves itself. */
import type { Administrator } from "../access/actor.ts";
import type { EvidenceSigner } from "../audit/evidence-seal.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { createEvidenceArchive, createEvidenceFile, listKeyIds } from "../record/index.ts";
import { listCalls } from "./calls.ts";
import type { CallView, CountDecisionsInput, DecisionFilters, DecisionKey, Evidence, EvidenceInput } from "./schema.ts";
import { EVIDENCE_CALLS_MAX } from "./schema.ts";

const PAGE_CALLS = 200;
/** The maximum number of pages to read, because a search with few matches reads many rows. */
const PAGES_MAX = 50;

interface Signing {
  /** Seals the file. */
  readonly signer: EvidenceSigner;
  readonly sign: () => Promise<unknown>;
}

/**
 * `sign` signs what no checkpoint vouches for yet, where the asker may, so that the newest decisions are covered too.
 *
 * Errors: `invalid_input` when the filter finds nothing, too much, or too far back to be read at once.
 */
export async function createDecisionEvidence(
  db: Database,
  actor: Administrator,
  { form, decisions, ...asked }: EvidenceInput,
  { signer, sign }: Signing,
): Promise<Evidence> {
  const { workspaceId } = actor;
  const found = await allCalls(db, workspaceId, asked);
  const calls = decisions === undefined ? found : callsWith(found, decisions);
  const keys = calls.flatMap(({ chain }) => chain.map(({ occurredAt, id }) => ({ occurredAt, id })));
  if (keys.length === 0) throw refused("No matching decisions.");
  await sign();
  const chosen = decisions === undefined ? "" : `, ${calls.length} chosen`;
  const about = { keys, calls: calls.length, asked: askedText(asked) + chosen, madeBy: actor.name };
  const text = await createEvidenceFile(db, workspaceId, about, signer);
  if (form === "lines") return { text, archive: null, calls: calls.length };
  const keyIds = await listKeyIds(db, workspaceId, signer);
  const archive = await createEvidenceArchive(workspaceId, text, keyIds, signer);
  return { text: null, archive: archive.toString("base64"), calls: calls.length };
}

/** The calls with one of these decisions. */
function callsWith(calls: readonly CallView[], decisions: readonly DecisionKey[]): CallView[] {
  const ids = new Set(decisions.map(({ id }) => id));
  return calls.filter(({ chain }) => chain.some(({ id }) => ids.has(id)));
}

const refused = (says: string) => new AppError("invalid_input", undefined, { says });

async function allCalls(db: Database, workspaceId: string, asked: CountDecisionsInput): Promise<CallView[]> {
  const calls: CallView[] = [];
  let cursor: CallPageCursor = null;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const found = await listCalls(db, workspaceId, { ...asked, order: "newest", cursor, limit: PAGE_CALLS });
    calls.push(...found.rows);
    if (calls.length > EVIDENCE_CALLS_MAX)
      throw refused(
        `More than ${EVIDENCE_CALLS_MAX.toLocaleString("en-US")} calls match. Choose a shorter range or a narrower filter, or export the record.`,
      );
    cursor = found.nextCursor;
    if (cursor === null) return calls;
  }
  throw refused("The search is too broad for one file. Choose a tool, an agent or a session, or a shorter range.");
}

type CallPageCursor = Awaited<ReturnType<typeof listCalls>>["nextCursor"];

/** The range and the filter as a person reads and types them. */
export function askedText({ range: { from, to }, filters }: CountDecisionsInput): string {
  const { text, ...fields } = filters;
  const terms = (Object.entries(fields) as [keyof DecisionFilters, readonly string[]][]).flatMap(
    (
      [key, values], // holds: all but `text` are lists
    ) => values.map((value) => (/[\s"]/.test(value) ? `${key}:${JSON.stringify(value)}` : `${key}:${value}`)),
  );
  const found = [...terms, ...(text === "" ? [] : [JSON.stringify(text)])];
  return `decisions from ${from.toISOString()} to ${to.toISOString()}${found.length > 0 ? `, ${found.join(" ")}` : ""}`;
}
