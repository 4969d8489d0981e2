/** Recorded calls for previews and trials: their list, and their inputs as stored (masked). */

import { type HookInput, hookInput } from "@quarterdeck/hooks/contract/input";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import { isOfAgentsSql } from "../recording/index.ts";
import * as prompts from "./repository.ts";
import { expectations, recordedCallKey } from "./revision-figures.ts";
import type { InputKeys, RecordedFilter, RecordedInput, RecordedKey, RecordedView } from "./schema.ts";

interface RecordedRow {
  readonly occurred_at: Date;
  readonly id: string;
  readonly event: string;
  readonly tool_name: string | null;
  readonly agent_name: string;
  readonly input: string;
}

/** Looked at while searching, the newest first: a rare event further back is not found. */
const SEARCHED_MAX = 20_000;
const BACK_MS = 30 * 24 * 3_600_000;
/** Larger inputs are excluded from trials: people do not read them, and models hardly do. */
const INPUT_CHARS_MAX = 262_144;
const EXCERPT_CHARS_MAX = 160;
const KEYS_MAX = 50;
const KEY_CHARS_MAX = 100;

/** The newest that pass the filter, after the call to include. Errors: `prompt_not_found`. */
export async function recorded(db: Database, workspaceId: string, input: RecordedInput): Promise<RecordedView[]> {
  const { promptId, including } = input;
  const [first, matching, expected] = await Promise.all([
    including ? findOne(db.pool, workspaceId, including) : null,
    select(db, workspaceId, promptId, input, input.limit),
    expectations(db, workspaceId, promptId),
  ]);
  const rows = first ? [first, ...matching.filter(({ id }) => id !== first.id)] : matching;
  return rows.map((row) => ({
    occurredAt: row.occurred_at,
    id: row.id,
    event: row.event,
    tool: row.tool_name,
    agentName: row.agent_name,
    ...read(row.input),
    expected: expected.get(recordedCallKey({ occurred_at: row.occurred_at, dispatch_id: row.id })) ?? null,
  }));
}

async function findOne(pool: Pool, workspaceId: string, { occurredAt, id }: RecordedKey): Promise<RecordedRow | null> {
  const found = await pool.query<RecordedRow>({
    name: "prompts_recorded_one",
    text: `SELECT occurred_at, id, event, tool_name, agent_name, input FROM dispatch
           WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1 AND length(input) <= $4::int`,
    values: [workspaceId, occurredAt, id, INPUT_CHARS_MAX],
  });
  return found.rows[0] ?? null;
}

/** A recognisable excerpt of a stored input. */
export const excerptIn = (text: string): string => read(text).excerpt;

/**
 * The same for a trial. A call that several lanes or gates recorded appears once, by its labelled record if it has one.
 * Errors: `prompt_not_found`.
 */
export async function select(
  db: Database,
  workspaceId: string,
  promptId: string,
  filter: RecordedFilter,
  limit: number,
): Promise<RecordedRow[]> {
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const values: unknown[] = [workspaceId, new Date(Date.now() - BACK_MS), filter.event, INPUT_CHARS_MAX, limit];
  const put = (value: unknown) => `$${values.push(value)}`;
  const candidates = candidatesSql(filter, promptId, prompt.name, put);
  const where = [
    ...(filter.tool === null ? [] : [`dispatch.tool_name = ${put(filter.tool)}`]),
    ...(filter.agent === null ? [] : [isOfAgentsSql("dispatch", `ARRAY[${put(filter.agent)}::text]`)]),
  ];
  const isLabelled = `EXISTS (SELECT FROM judge_label AS label WHERE label.workspace_id = $1
    AND label.prompt_id = ${put(promptId)}::uuid AND label.occurred_at = dispatch.occurred_at
    AND label.dispatch_id = dispatch.id)`;
  const found = await db.pool.query<RecordedRow>(
    `SELECT occurred_at, id, event, tool_name, agent_name, input FROM (
       SELECT dispatch.*, ${isLabelled} AS is_labelled, row_number() OVER (
         PARTITION BY dispatch.agent_id, dispatch.session_id, coalesce(dispatch.tool_use_id, dispatch.id::text)
         ORDER BY ${isLabelled} DESC, dispatch.occurred_at DESC, dispatch.id DESC) AS of_call
       FROM (${candidates}) AS candidate
       JOIN dispatch ON dispatch.occurred_at = candidate.occurred_at AND dispatch.id = candidate.dispatch_id
         AND dispatch.workspace_id = $1
       WHERE dispatch.event = $3 AND length(dispatch.input) <= $4::int ${where.map((one) => `AND ${one}`).join(" ")}
     ) AS one WHERE of_call = 1 ORDER BY ${filter.only === "labelled_first" ? "is_labelled DESC, " : ""}occurred_at DESC, id DESC LIMIT $5`,
    values,
  );
  return found.rows;
}

/** Keys of recorded calls, the newest first, up to the number that can be checked. */
function candidatesSql(
  { only, judge }: RecordedFilter,
  promptId: string,
  name: string,
  put: (value: unknown) => string,
): string {
  const newest = (table: string, condition: string) =>
    `SELECT DISTINCT occurred_at, dispatch_id FROM (
       SELECT occurred_at, dispatch_id FROM ${table} WHERE workspace_id = $1 AND occurred_at >= $2 AND ${condition}
       ORDER BY occurred_at DESC LIMIT ${SEARCHED_MAX}) AS newest`;
  // PostgreSQL refuses a parameter that a query does not use.
  const labelled = () => newest("judge_label", `prompt_id = ${put(promptId)}::uuid`);
  if (only === "labelled") return labelled();
  if (only === "judged" && judge)
    return newest("judge_call", `policy = ${put(judge.policy)} AND hook = ${put(judge.hook)}`);
  const judged = () => newest("judge_call", `label IS NOT NULL AND starts_with(label, ${put(`${name}@`)})`);
  if (only === "judged") return judged();
  if (only === "labelled_first") return `${labelled()} UNION ${judged()}`;
  return `SELECT occurred_at, id AS dispatch_id FROM (
            SELECT occurred_at, id, event FROM dispatch WHERE workspace_id = $1 AND occurred_at >= $2
            ORDER BY occurred_at DESC LIMIT ${SEARCHED_MAX}) AS newest WHERE event = $3`;
}

/** The input of one recorded call, as stored. Errors: `dispatch_not_found` once its retention is over. */
export async function inputOf(pool: Pool, workspaceId: string, { occurredAt, id }: RecordedKey): Promise<HookInput> {
  const found = await pool.query<{ input: string }>({
    name: "prompts_input",
    text: "SELECT input FROM dispatch WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1",
    values: [workspaceId, occurredAt, id],
  });
  const [row] = found.rows;
  const parsed = row && hookInput.safeParse(JSON.parse(row.input));
  if (!parsed?.success) throw new AppError("dispatch_not_found", id);
  return parsed.data;
}

/** A recognisable excerpt of a call, from its arguments or else its subject; and the keys of its arguments. */
function read(text: string): Pick<RecordedView, "excerpt" | "keys"> {
  const input: unknown = JSON.parse(text);
  if (typeof input !== "object" || input === null) return { excerpt: "", keys: [] };
  const of = (key: string): unknown => Reflect.get(input, key);
  const about = of("tool_input") ?? of("prompt") ?? of("stop_response") ?? of("summary") ?? of("notification_message");
  const said = typeof about === "string" ? about : about === undefined ? "" : firstText(about);
  const line = said.replace(/\s+/g, " ").trim();
  const excerpt = truncateText(line, EXCERPT_CHARS_MAX);
  return { excerpt, keys: keysOf(of("tool_input")) };
}

function keysOf(toolInput: unknown): InputKeys {
  if (typeof toolInput !== "object" || toolInput === null || Array.isArray(toolInput)) return [];
  const keys = Object.entries(toolInput).filter(([name]) => name.length <= KEY_CHARS_MAX);
  return keys.slice(0, KEYS_MAX).map(([name, value]) => ({ name, type: typeOf(value) }));
}

/** As a template sees it. */
function typeOf(value: unknown): string {
  if (value === null) return "nil";
  if (Array.isArray(value)) return "[]any";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]any";
}

function firstText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const texts = Object.values(value).filter((one) => typeof one === "string");
  return texts[0] ?? JSON.stringify(value);
}
