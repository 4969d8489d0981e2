/** Finds the objects of a workspace by name or id, of the kinds that the caller may read. */
import type { Administrator } from "../access/actor.ts";
import { may } from "../access/permissions.ts";
import { role } from "../access/role-schema.ts";
import { ruleKeyText } from "../decisions/rules/schema.ts";
import type { Database } from "../platform/db.ts";
import { hooksInForce } from "../policies/index.ts";
import { HOOK_KEY_MAX, indexKeyText } from "../recording/index.ts";
import * as search from "./repository.ts";
import { FOUND_MAX, NAMED_KINDS, type SearchInput, type SearchResult } from "./schema.ts";

/** A shorter text is not searched as the beginning of a session's id. */
const SESSION_TEXT_MIN = 3;

/** At most `FOUND_MAX` of each kind. A blank text finds nothing. */
export async function find(db: Database, actor: Administrator, { text }: SearchInput): Promise<SearchResult[]> {
  if (text === "") return [];
  const { workspaceId } = actor;
  const found = await Promise.all([
    ...NAMED_KINDS.map(async (kind) => {
      const rows = await search.listNamed(db.pool, workspaceId, kind, text, FOUND_MAX);
      return rows.map((row): SearchResult => ({ kind, ...row }));
    }),
    findNumbered(db, workspaceId, text),
    findRules(db, workspaceId, text),
    text.length < SESSION_TEXT_MIN ? [] : findSessions(db, workspaceId, text),
    may(actor, "people:read") ? findPeople(db, workspaceId, text) : [],
  ]);
  return found.flat();
}

/** The request or the exception that the text numbers: "QD-12", "EX-3". */
async function findNumbered({ pool }: Database, workspaceId: string, text: string): Promise<SearchResult[]> {
  const [, prefix, digits] = /^(qd|ex)-(\d{1,12})$/i.exec(text) ?? [];
  if (prefix === undefined) return [];
  const number = Number(digits);
  if (prefix.toLowerCase() === "ex") {
    const found = await search.findException(pool, workspaceId, number);
    return found ? [{ kind: "exception", number, ...found }] : [];
  }
  const found = await search.findRequest(pool, workspaceId, number);
  return found ? [{ kind: "request", number, ...found }] : [];
}

async function findPeople(db: Database, workspaceId: string, text: string): Promise<SearchResult[]> {
  const rows = await search.listPeople(db.pool, workspaceId, text, FOUND_MAX);
  return rows.map((row) => ({ kind: "person", ...row, role: role.parse(row.role) }));
}

async function findSessions(db: Database, workspaceId: string, text: string): Promise<SearchResult[]> {
  const rows = await search.listSessions(db.pool, workspaceId, text, FOUND_MAX);
  return rows.map((row) => ({
    kind: "session",
    agentId: row.agent_id,
    sessionId: row.session_id,
    agentName: row.agent_name,
    lastAt: row.last_at,
  }));
}

/** Rules of the policies in force, under the names that their report cards have. */
async function findRules(db: Database, workspaceId: string, text: string): Promise<SearchResult[]> {
  const wanted = text.toLowerCase();
  const hits = (await hooksInForce(db, workspaceId))
    .map(({ policy, event, name }) => ({
      rule: { policy: indexKeyText(policy, HOOK_KEY_MAX), event, hook: indexKeyText(name, HOOK_KEY_MAX) },
      at: name.toLowerCase().indexOf(wanted),
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || a.rule.hook.length - b.rule.hook.length);
  const distinct = new Map(hits.map(({ rule }) => [ruleKeyText(rule), rule]));
  return [...distinct.values()].slice(0, FOUND_MAX).map((rule) => ({ kind: "rule", ...rule }));
}
