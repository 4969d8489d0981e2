/**
 * The SQL that erases content and names from each table with either, in the order in which they are walked. A name, a session or a
 * word that stands anywhere else is a bug: erasure.test.ts looks for a marker in every column of the schema.
 *
 * Parameters of all SQL: $1 workspace, $2 session or null, $3 agent's name or null, $4 its alias, $5 a pattern for the name
 * between other words. `one` is the row.
 */

import { CONTENT_SQL } from "../../audit/leaf.ts";
import { TABLES } from "../../database/table-schema.ts";
import { ROLLUP_COUNTS, SPEND_COUNTS } from "../../recording/index.ts";
import { held } from "../retention/holds.ts";

export interface ErasedTable {
  readonly table: string;
  /** The rest of the primary key behind the workspace, in its order: how far a walk has come is a value of it. */
  readonly key: readonly (readonly [column: string, type: string])[];
  /** SQL condition: true for a row of the erasure that is not erased yet. */
  readonly isTheirs: string;
  /** SQL condition: true for a row that a hold keeps. */
  readonly isHeld: string;
  /** Assignments; null takes the row away. */
  readonly change: string | null;
  /** The columns that are added up where the name is part of the key: the row joins the one of the alias. */
  readonly sums?: readonly string[];
  /** True if the rows hold only a name: erasing a session does not concern them. */
  readonly isOfNames: boolean;
  /** A condition with an index, for erasing only a session. */
  readonly sessionOnly?: string;
}

const OF_NAME = "($3::text IS NOT NULL AND quarterdeck_is_named(one.agent_name, $3))";
const OF_SESSION = "($2::text IS NOT NULL AND one.session_id = $2)";
const THEIRS = `(${OF_SESSION} OR ${OF_NAME})`;
const NAME = `agent_name = CASE WHEN ${OF_NAME} THEN quarterdeck_renamed(one.agent_name, $3, $4) ELSE one.agent_name END`;
const BY_TIME = [["occurred_at", "timestamptz"] as const, ["dispatch_id", "uuid"] as const];
const IN_SESSION = "one.session_id = $2";

type ErasureSql = Omit<ErasedTable, "table" | "isHeld" | "isOfNames"> & Partial<Pick<ErasedTable, "isHeld">>;
/** A table with the SQL for its rows; its entry in the list of tables says whether a hold can cover them. */
function erased(table: string, sql: ErasureSql): ErasedTable {
  const entry = TABLES.find(({ name }) => name === table);
  const isHeld = entry?.isHoldable ? held("one", `one.${entry.at}`) : "false";
  return { table, isHeld, isOfNames: entry?.erasure === "name", ...sql };
}
/** Rows with texts: these are blanked, and `hasWords` is true while any is left. */
const worded = (table: string, change: string, hasWords: string, key: ErasedTable["key"] = BY_TIME): ErasedTable =>
  erased(table, {
    ...{ key, ...(key === BY_TIME ? { sessionOnly: IN_SESSION } : {}) },
    isTheirs: `((${OF_SESSION} AND (${hasWords})) OR ${OF_NAME})`,
    change: `${change}, ${NAME}`,
  });
/** Rows with the name only. */
const named = (table: string, more: Partial<ErasureSql> = {}): ErasedTable =>
  erased(table, { key: BY_TIME, isTheirs: OF_NAME, change: NAME, ...more });
const PLACED = [...BY_TIME, ["place", "integer"] as const];
const BUCKET = [["bucket", "timestamptz"] as const, ["agent_id", "uuid"] as const, ["agent_name", "text"] as const];
const MODEL = ["model_id", "text"] as const;
const PRINCIPAL = ["principal_id", "uuid"] as const;
const BY_JUDGE = ["by_judge", "boolean"] as const;
const DECIDED = ["tool_name", "source", "verdict"].map((column) => [column, "text"] as const);
/**
 * Sums belong to no single session: they keep the name for as long as a hold keeps one of its dispatches (erasure.ts).
 */
const summed = (table: string, rest: ErasedTable["key"], sums: readonly string[]): ErasedTable =>
  named(table, { key: [...BUCKET, ...rest], sums });
const LEDGER_SUMS = ["corrected", "corrected_nano", "estimated", "estimated_nano"];
const ID = [["id", "uuid"] as const];
const ERASED = (of: string) => `EXISTS (SELECT FROM dispatch WHERE dispatch.occurred_at = ${of}.occurred_at
  AND dispatch.id = ${of}.dispatch_id AND dispatch.workspace_id = $1 AND dispatch.erased_at IS NOT NULL)`;
const quoted = (column: string) => `($2::text IS NOT NULL AND strpos(one.${column}::text, to_json($2::text)::text) > 0
  OR $3::text IS NOT NULL AND one.${column}::text ~ $5)`;
/** Free texts with a name among other words. */
const spoken = (table: string, column: string, key: ErasedTable["key"]): ErasedTable =>
  erased(table, {
    key,
    isTheirs: `one.${column} ~ $5`,
    change: `${column} = regexp_replace(one.${column}, $5, $4, 'g')`,
  });

/** As PostgreSQL writes a notice, and as it is written once it is gathered. */
const NOTICE_OF_CALL = `(one.kind IN ('approval.requested', 'approval.reminded', 'approval.escalated', 'approval.answered', 'approval.lapsed')
  AND ($2::text IS NOT NULL AND strpos(one.body, '"session" : ' || to_json($2::text)::text) > 0
    OR $2::text IS NOT NULL AND strpos(one.body, '"session":' || to_json($2::text)::text) > 0
    OR $3::text IS NOT NULL AND one.body ~ $5))`;

/** The log comes first: conditions for its copies depend on what was erased there. */
export const DISPATCH: ErasedTable = erased("dispatch", {
  key: [["occurred_at", "timestamptz"] as const, ["id", "uuid"] as const],
  isTheirs: `(one.erased_at IS NULL AND ${THEIRS})`,
  change: `content_sha256 = ${CONTENT_SQL}, erased_at = now(), salt = NULL, input = '{}', answer = '{}', hooks = '[]', detail = NULL,
    reason = NULL`,
  sessionOnly: IN_SESSION,
});

export const ERASED_TABLES: readonly ErasedTable[] = [
  DISPATCH,
  worded("tool_decision", "reason = '', excerpt = ''", "one.reason <> '' OR one.excerpt <> ''"),
  worded("compaction", "effect_text = '', summary = NULL", "one.effect_text <> '' OR one.summary IS NOT NULL"),
  worded("observation", "reason = '', hooks = '[]'", "one.reason <> '' OR one.hooks <> '[]'", [
    ["policy_id", "uuid"],
    ...BY_TIME,
  ]),
  named("llm_call"),
  named("compaction_record"),
  named("hook_outcome", { key: PLACED }),
  named("judge_call", { key: PLACED }),
  named("ledger_entry", { key: [...BY_TIME, ["kind", "text"], ["step", "integer"]] }),
  named("session", {
    key: [
      ["agent_id", "uuid"],
      ["session_id", "text"],
    ],
  }),
  ...["rollup_minute", "rollup_hour", "rollup_day"].map((table) => summed(table, [MODEL], ROLLUP_COUNTS)),
  ...["spend_minute", "spend_hour", "spend_day"].map((table) => summed(table, [MODEL, PRINCIPAL], SPEND_COUNTS)),
  ...["ledger_minute", "ledger_hour", "ledger_day"].map((table) => summed(table, [MODEL], LEDGER_SUMS)),
  ...["decision_hour", "decision_day"].map((table) => summed(table, [...DECIDED, BY_JUDGE], ["count"])),
  erased("judge_trial_call", {
    key: [
      ["trial_id", "uuid"],
      ["place", "integer"],
      ["repeat", "integer"],
    ],
    isTheirs: `((one.reason <> '' OR one.reply IS NOT NULL) AND ${ERASED("one")} OR ${OF_NAME})`,
    isHeld: `EXISTS (SELECT FROM dispatch WHERE dispatch.workspace_id = one.workspace_id AND dispatch.occurred_at = one.occurred_at
      AND dispatch.id = one.dispatch_id
      AND ${held("dispatch", "dispatch.occurred_at")})`,
    change: `reason = '', reply = NULL, ${NAME}`,
  }),
  // Without its call, a flip says nothing.
  erased("backtest_flip", { key: [["run_id", "uuid"], ...BY_TIME], isTheirs: THEIRS, change: null }),
  erased("backtest_sample", {
    key: [
      ["run_id", "uuid"],
      ["kind", "text"],
      ["position", "bigint"],
    ],
    ...{ isTheirs: THEIRS, change: null },
  }),
  // Its cost stays.
  worded("backtest_answer", "reply = NULL", "one.reply IS NOT NULL", ID),
  erased("judge_label", {
    key: [
      ["subject", "text"],
      ["person_id", "text"],
    ],
    isTheirs: `(one.note <> '' AND ${ERASED("one")})`,
    change: "note = ''",
  }),
  // Comments of people quote what they comment on.
  ...["call_comment", "call_follow_up"].map((table) =>
    erased(table, { key: ID, isTheirs: ERASED("one"), change: null }),
  ),
  // A test case consists of what an agent sent: without that, there is nothing left to test.
  erased("policy_case", {
    ...{ key: ID, change: null },
    isTheirs: `(${["input", "expect", "judge_replies", "last_differs"].map(quoted).join(" OR ")})`,
  }),
  // So does a known call.
  erased("judge_known_call", {
    ...{ key: ID, change: null },
    isTheirs: `(${["input", "note"].map(quoted).join(" OR ")})`,
  }),
  // The halt of a session stays in force, so its id stays. An alias may be longer than a name, and the columns have a
  // limit.
  erased("halt", {
    key: ID,
    isTheirs: "(one.about ~ $5 OR one.reason ~ $5 OR one.resume_reason ~ $5)",
    change: ["about", "reason", "resume_reason"]
      .map((column) => `${column} = left(regexp_replace(one.${column}, $5, $4, 'g'), 500)`)
      .join(", "),
  }),
  // A call that still waits is denied then, since its request is gone.
  erased("approval_request", { key: ID, isTheirs: THEIRS, change: null }),
  // People are asked about its calls again.
  erased("policy_exception", {
    ...{ key: ID, change: null },
    isTheirs: `(${OF_SESSION} OR ($3::text IS NOT NULL AND
      (one.about ~ $5 OR one.reason ~ $5 OR one.end_reason ~ $5 OR one.review_words ~ $5 OR one.input ~ $5)))`,
  }),
  erased("enrolment_token", {
    ...{ key: ID, isTheirs: "one.name ~ $5" },
    change: "name = left(regexp_replace(one.name, $5, $4, 'g'), 64)",
  }),
  spoken("notice", "says", [
    ["person_id", "uuid"],
    ["key", "text"],
  ]),
  spoken("alert_event", "says", [["rule_id", "uuid"], ["at", "timestamptz"], ...ID]),
  // A notice quotes a call, so it is removed unsent. Other messages hold only a name among other words.
  erased("webhook_delivery", {
    key: ID,
    isTheirs: `(${NOTICE_OF_CALL} OR ($3::text IS NOT NULL AND one.body ~ $5))`,
    change: `body = CASE WHEN ${NOTICE_OF_CALL} THEN '{}' ELSE regexp_replace(one.body, $5, $4, 'g') END,
      state = CASE WHEN ${NOTICE_OF_CALL} AND one.state <> 'delivered' THEN 'discarded' ELSE one.state END`,
  }),
  spoken("saved_view", "query", ID),
  // An agent that still works under the name is renamed or retired by a person first.
  erased("agent", { key: ID, isTheirs: "(one.name = $3 AND one.retired_at IS NOT NULL)", change: "name = $4" }),
];
