/** A statement for each month: open until somebody closes it, and then never different. */
import { createHash } from "node:crypto";
import type { Administrator } from "../../access/actor.ts";
import { canonicalJson } from "../../audit/chain.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../live/service.ts";
import type { Database, Pool, PoolClient } from "../../platform/db.ts";
import { untilProjected } from "../../projectors/service.ts";
import { contentOf, firstOf, monthAfter, monthOf } from "./content.ts";
import * as statements from "./repository.ts";
import { type MonthKey, type MonthsView, type StatementView, statementContent } from "./schema.ts";

const MONTHS_MAX = 240;
const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The months that have a statement or can get one, the newest first. */
export async function months(db: Database, workspaceId: string, now: Date): Promise<MonthsView> {
  const [heads, first] = await Promise.all([
    statements.listHeads(db.pool, workspaceId),
    statements.findSpan(db.pool, workspaceId),
  ]);
  const closed = new Map(heads.map((head) => [head.month, head]));
  const running = monthOf(now);
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
    return { month, state: "closed", notYet: null, closedAt, closedBy, sha256, isIntact, content, dropped: [] };
  }
  const draft = await drafted(db.pool, workspaceId, month, closed);
  const notYet = reasonAgainst(month, closed, await statements.findSpan(db.pool, workspaceId), now);
  const state = month >= monthOf(now) ? "running" : "open";
  const unclosed = { closedAt: null, closedBy: null, sha256: null, isIntact: null };
  return { month, state, notYet, ...unclosed, ...draft };
}

/** Errors: `month_not_closable`, with why; `busy` while figures are behind what was recorded. */
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
    const says = reasonAgainst(month, closed, await statements.findSpan(client, workspaceId), now);
    if (says !== null) throw new AppError("month_not_closable", month, { says });
    const { content } = await drafted(client, workspaceId, month, closed);
    const text = canonicalJson(content);
    const hash = sha256Of(text);
    await statements.insert(client, workspaceId, { month, content: text, sha256: hash, by: actor.name });
    const entry = { kind: "statement_closed", version: 1, by: actor.name, month, sha256: hash } as const;
    const message = bus.message(workspaceId, ["costs", "audit"]);
    await statements.append(client, actor, entry, { channel: bus.channel, message });
    return hash;
  });
  bus.announce(workspaceId, ["costs", "audit"]);
  return { sha256 };
}

/** Closed in order and once over, so that what comes late always has a later statement to stand in. */
function reasonAgainst(
  month: string,
  closed: readonly { readonly month: string }[],
  first: string | null,
  now: Date,
): string | null {
  const last = closed.at(-1)?.month;
  if (closed.some((row) => row.month === month)) return `${month} is closed already.`;
  if (month >= monthOf(now)) return `${month} is not over yet: it ends at midnight UTC of its last day.`;
  if (last !== undefined && month < last)
    return `${last} is closed, so what came to ${month} is among its adjustments.`;
  const next = last !== undefined ? monthAfter(last) : first;
  if (next === null) return "Nothing was recorded yet.";
  if (month > next) return `Months are closed in order: ${next} is the next one.`;
  return month < next ? `Nothing was recorded in ${month}.` : null;
}

async function drafted(
  db: Pool | PoolClient,
  workspaceId: string,
  month: string,
  closed: readonly statements.ClosedRow[],
) {
  const before = closed.filter((row) => row.month < month);
  // The late calls of months before the first statement have to be in some statement too.
  const isNext = before.length > 0 && monthAfter(before.at(-1)?.month ?? month) === month;
  const from = isNext ? new Date(0) : firstOf(month);
  const rows = await statements.listSums(db, workspaceId, from, firstOf(monthAfter(month)));
  const told = isNext ? before : [];
  return contentOf(
    workspaceId,
    month,
    rows,
    told.map(({ content, sha256 }) => ({ content: statementContent.parse(JSON.parse(content)), sha256 })),
  );
}
