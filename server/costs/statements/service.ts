/** A statement for each month. It changes until a person closes it, and never after. */
import { createHash } from "node:crypto";
import type { Administrator } from "../../access/actor.ts";
import { canonicalJson } from "../../audit/chain.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database, Pool, PoolClient } from "../../platform/db.ts";
import { untilProjected } from "../../projectors/index.ts";
import { append } from "../ledger/repository.ts";
import { contentOf, monthAfter } from "./content.ts";
import { runningMonth, sumsOf } from "./months.ts";
import * as statements from "./repository.ts";
import { type MonthKey, type MonthsView, type StatementView, statementContent } from "./schema.ts";

const MONTHS_MAX = 240;
const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The months that have a statement or can get one, the newest first. */
export async function months(db: Database, workspaceId: string, now: Date): Promise<MonthsView> {
  const [heads, first, running] = await Promise.all([
    statements.listHeads(db.pool, workspaceId),
    statements.findFirstMonth(db.pool, workspaceId),
    runningMonth(db.pool, workspaceId, now),
  ]);
  const closed = new Map(heads.map((head) => [head.month, head]));
  const earliest = heads[0]?.month ?? first ?? running;
  const listed = [];
  for (let month = running; month >= earliest && listed.length < MONTHS_MAX; month = monthAfter(month, -1)) {
    const head = closed.get(month);
    listed.push({
      month,
      state: head ? ("closed" as const) : month === running ? ("running" as const) : ("open" as const),
      closedAt: head?.closed_at ?? null,
      closedBy: head?.closed_by ?? null,
      sha256: head?.sha256 ?? null,
    });
  }
  return { months: listed };
}

/** The statement of a month: as it was closed, or as it would be closed now. */
export async function statement(
  db: Database,
  workspaceId: string,
  { month }: MonthKey,
  now: Date,
): Promise<StatementView> {
  const closed = await statements.listClosed(db.pool, workspaceId);
  const own = closed.find((row) => row.month === month);
  if (own) {
    const isIntact = sha256Of(own.content) === own.sha256;
    const { closed_at: closedAt, closed_by: closedBy, sha256 } = own;
    const content = statementContent.parse(JSON.parse(own.content));
    return {
      month,
      state: "closed",
      notYet: null,
      closedAt,
      closedBy,
      sha256,
      isIntact,
      content,
      dropped: [],
      inexact: [],
    };
  }
  const span = await spanOf(db.pool, workspaceId, now);
  const draft = await drafted(db.pool, workspaceId, month, { closed, first: span.first });
  const notYet = reasonAgainst(month, closed, span);
  const state = month >= span.running ? "running" : "open";
  const unclosed = { closedAt: null, closedBy: null, sha256: null, isIntact: null };
  return { month, state, notYet, ...unclosed, ...draft };
}

/** Errors: `month_not_closable`, with the reason; `busy` while the figures lag behind the records. */
export async function close(
  { db, bus }: { db: Database; bus: Bus },
  actor: Administrator,
  { month }: MonthKey,
  now: Date,
): Promise<{ sha256: string }> {
  const { workspaceId } = actor;
  await untilProjected(db.pool, workspaceId);
  const sha256 = await statements.withMonthClosingLock(db.pool, workspaceId, async (client) => {
    const closed = await statements.listClosed(client, workspaceId);
    const span = await spanOf(client, workspaceId, now);
    const says = reasonAgainst(month, closed, span);
    if (says !== null) throw new AppError("month_not_closable", month, { says });
    const { content } = await drafted(client, workspaceId, month, { closed, first: span.first });
    const text = canonicalJson(content);
    const hash = sha256Of(text);
    await statements.insert(client, workspaceId, { month, content: text, sha256: hash, by: actor.name });
    const entry = { kind: "statement_closed", version: 1, by: actor.name, month, sha256: hash } as const;
    const message = bus.message(workspaceId, ["costs", "audit"]);
    await append(client, actor, entry, { channel: bus.channel, message });
    return hash;
  });
  bus.announce(workspaceId, ["costs", "audit"]);
  return { sha256 };
}

interface Span {
  /** The month of the first record; null without records. */
  readonly first: string | null;
  /** The current month. */
  readonly running: string;
}

async function spanOf(db: Pool | PoolClient, workspaceId: string, now: Date): Promise<Span> {
  return {
    first: await statements.findFirstMonth(db, workspaceId),
    running: await runningMonth(db, workspaceId, now),
  };
}

/**
 * The reason why a month cannot be closed; null if it can. Months are closed in order and after their end, so that a
 * late change always fits into a later statement.
 */
function reasonAgainst(
  month: string,
  closed: readonly { readonly month: string }[],
  { first, running }: Span,
): string | null {
  const last = closed.at(-1)?.month;
  if (closed.some((row) => row.month === month)) return `${month} is closed already.`;
  if (month >= running)
    return `${month} is not over yet. It ends at midnight after its last day, in the workspace's time zone.`;
  if (last !== undefined && month < last)
    return `${last} is closed and includes late amounts of ${month} as adjustments.`;
  const next = last !== undefined ? monthAfter(last) : first;
  if (next === null) return "No records yet.";
  if (month > next) return `Months are closed in order. The next month is ${next}.`;
  return month < next ? `No records in ${month}.` : null;
}

async function drafted(
  db: Pool | PoolClient,
  workspaceId: string,
  month: string,
  { closed, first }: { readonly closed: readonly statements.ClosedRow[]; readonly first: string | null },
) {
  const before = closed
    .filter((row) => row.month < month)
    .map(({ content, sha256 }) => ({ content: statementContent.parse(JSON.parse(content)), sha256 }));
  // The late calls of months before the first statement have to be in some statement too.
  const isNext = before.length > 0 && monthAfter(before.at(-1)?.content.month ?? month) === month;
  const told = isNext ? before : [];
  const earliest = [month, ...told.map(({ content }) => content.month), ...(first === null ? [] : [first])].sort()[0];
  const months = { first: isNext ? (earliest ?? month) : month, last: month, isWhole: isNext };
  const { rows, zone, inexact } = await sumsOf(
    db,
    workspaceId,
    months,
    before.map(({ content }) => content),
  );
  return { ...contentOf({ workspace: workspaceId, month, zone, inexact }, rows, told), inexact };
}
