/** Excerpts by which a person recognises recorded calls, a command or a path first, as on the Calls page. */
import type { Pool } from "../platform/db.ts";
import { excerptIn } from "./recorded-calls.ts";

interface CallKey {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
}

/** The limit of calls per look-up; a trial has at most as many. */
const CALLS_MAX = 1_000;
/** The input of an event other than a tool call is read only up to this size. */
const INPUT_CHARS_MAX = 65_536;

/** The excerpts by `recordedCallKey`. A removed call has no excerpt. */
export async function excerptsOf(
  pool: Pick<Pool, "query">,
  workspaceId: string,
  calls: readonly CallKey[],
): Promise<Map<string, string>> {
  const keys = new Map(calls.map((call) => [keyOf(call), call]));
  const wanted = [...keys.values()].slice(0, CALLS_MAX);
  if (wanted.length === 0) return new Map();
  const found = await pool.query<CallKey & { excerpt: string | null; input: string | null }>(
    `SELECT call.occurred_at, call.dispatch_id, decision.excerpt,
       CASE WHEN decision.dispatch_id IS NULL AND length(dispatch.input) <= ${INPUT_CHARS_MAX} THEN dispatch.input END AS input
     FROM unnest($2::timestamptz[], $3::uuid[]) AS call(occurred_at, dispatch_id)
     LEFT JOIN tool_decision AS decision ON decision.workspace_id = $1
       AND decision.occurred_at = call.occurred_at AND decision.dispatch_id = call.dispatch_id
     LEFT JOIN dispatch ON dispatch.workspace_id = $1 AND decision.dispatch_id IS NULL
       AND dispatch.occurred_at = call.occurred_at AND dispatch.id = call.dispatch_id`,
    [workspaceId, wanted.map((call) => call.occurred_at), wanted.map((call) => call.dispatch_id)],
  );
  return new Map(
    found.rows.flatMap((row): [string, string][] => {
      const excerpt = row.excerpt ?? (row.input === null ? "" : excerptIn(row.input));
      return excerpt === "" ? [] : [[keyOf(row), excerpt]];
    }),
  );
}

const keyOf = (call: CallKey): string => `${call.occurred_at.getTime()}.${call.dispatch_id}`;
