/** The calls of judges and their results. Failures stay apart from answers, the unpriced from the free. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { pgText, rollupRangeOf } from "../recording/index.ts";
import { storedHooks } from "../recording/schema.ts";
import { dayOf, judgeAccount, keyOf } from "./account.ts";
import * as recorded from "./calls.ts";
import * as judges from "./repository.ts";
import type {
  JudgeCallDetail,
  JudgeCallKey,
  JudgeCallPage,
  JudgeCallSums,
  JudgeCallsInput,
  JudgeCallView,
  JudgeRange,
  JudgesSummary,
  JudgeView,
} from "./schema.ts";

const GROUPS_MAX = 2_000;

/** The range in sums: all judges together, their failures by cause, and each judge with its cap and today's use. */
export async function summariseJudges(db: Database, workspaceId: string, range: JudgeRange): Promise<JudgesSummary> {
  const stretch = rollupRangeOf(range);
  const [rows, caps, spend] = await Promise.all([
    recorded.listSums(db.pool, workspaceId, stretch, GROUPS_MAX),
    judges.listCaps(db.prisma, workspaceId),
    judges.listSpend(db.pool, workspaceId, dayOf(Date.now())),
  ]);
  const ledger = emptyLedger();
  const causes = new Map<string, number>();
  const byJudge = new Map<string, { -readonly [Key in keyof JudgeView]: JudgeView[Key] }>();
  const judgeOf = (policy: string, hook: string) => {
    const account = judgeAccount(policy, hook);
    const known = byJudge.get(account);
    if (known) return known;
    const today = spend.get(account) ?? { calls: 0, nano: 0n };
    const made = { policy, hook, models: [], ledger: emptyLedger(), cap: null, reusesVerdicts: true, today };
    byJudge.set(account, made);
    return made;
  };
  for (const row of rows) {
    const judge = judgeOf(row.policy, row.hook);
    add(ledger, row);
    add(judge.ledger, row);
    if (!judge.models.includes(row.model)) judge.models.push(row.model);
    if (row.cause !== "") causes.set(row.cause, (causes.get(row.cause) ?? 0) + Number(row.calls));
  }
  for (const { policy, hook, callsPerDay, nanoPerDay, reusesVerdicts } of caps) {
    const judge = judgeOf(policy, hook);
    judge.reusesVerdicts = reusesVerdicts;
    if (callsPerDay === null && nanoPerDay === null) continue;
    judge.cap = { callsPerDay: callsPerDay === null ? null : Number(callsPerDay), nanoPerDay };
  }
  return {
    from: stretch.from,
    to: stretch.to,
    ledger,
    failures: [...causes].map(([cause, calls]) => ({ cause, calls })).sort((a, b) => b.calls - a.calls),
    judges: [...byJudge.values()],
  };
}

type Sums = { -readonly [Key in keyof JudgeCallSums]: JudgeCallSums[Key] };

const emptyLedger = (): Sums => ({
  calls: 0,
  failed: 0,
  priced: 0,
  free: 0,
  unpriced: 0,
  unanswered: 0,
  nano: 0n,
  inputTokens: 0n,
  outputTokens: 0n,
});

function add(into: Sums, row: recorded.SumRow): void {
  into.calls += Number(row.calls);
  if (row.cause !== "") into.failed += Number(row.calls);
  into.priced += Number(row.priced);
  into.free += Number(row.free);
  into.unpriced += Number(row.unpriced);
  into.unanswered += Number(row.unanswered);
  into.nano += BigInt(row.nano);
  into.inputTokens += BigInt(row.input);
  into.outputTokens += BigInt(row.output);
}

/** Calls one by one, the newest first. */
export async function listJudgeCalls(
  db: Database,
  workspaceId: string,
  input: JudgeCallsInput,
): Promise<JudgeCallPage> {
  const { from, to } = rollupRangeOf(input);
  const rows = await recorded.listCalls(db.pool, workspaceId, {
    ...input,
    from,
    to,
    causes: input.causes.map(pgText),
    verdicts: input.verdicts.map(pgText),
    hooks: input.hooks.map((hook) => keyOf(hook)),
    models: input.models.map((model) => keyOf(model)),
    text: pgText(input.text),
  });
  const page = rows.slice(0, input.limit).map(viewOf);
  const last = page.at(-1);
  const next =
    rows.length > input.limit && last ? { occurredAt: last.occurredAt, id: last.id, place: last.place } : null;
  return { calls: page, next };
}

/** One call with its words. Errors: `dispatch_not_found`. */
export async function getJudgeCall(db: Database, workspaceId: string, key: JudgeCallKey): Promise<JudgeCallDetail> {
  const row = await recorded.findCall(db.pool, workspaceId, key);
  const hook = row ? storedHooks.parse(JSON.parse(row.hooks))[row.place] : undefined;
  if (!row || !hook?.judge) throw new AppError("dispatch_not_found", key.id);
  const { answeredBy, schema, label, evaluator, system, prompt, reply, skipped } = hook.judge;
  return {
    ...viewOf(row),
    answeredBy: answeredBy ?? null,
    schema: schema ?? null,
    label: label ?? null,
    skipped: skipped ?? null,
    evaluator: evaluator ?? null,
    system: system ?? null,
    prompt: prompt ?? null,
    reply: reply ?? null,
    failure: hook.failure ?? null,
    isDecision: row.is_decision,
  };
}

const numberOf = (digits: string | null): number | null => (digits === null ? null : Number(digits));

function viewOf(row: recorded.CallRow): JudgeCallView {
  return {
    occurredAt: row.occurred_at,
    id: row.dispatch_id,
    place: row.place,
    agentName: row.agent_name,
    event: row.event,
    tool: row.tool_name,
    policy: row.policy,
    revision: row.revision,
    hook: row.hook,
    model: row.model,
    provider: row.provider,
    verdict: row.verdict,
    cause: row.cause === "" ? null : row.cause,
    pricing: row.pricing,
    nano: row.cost_nano === null ? null : BigInt(row.cost_nano),
    inputTokens: numberOf(row.input_tokens),
    outputTokens: numberOf(row.output_tokens),
    latencyMs: row.latency_ms,
  };
}
