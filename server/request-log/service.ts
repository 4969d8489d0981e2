/**
 * The log of refused requests, for each key. A request adds to counts in memory and waits for nothing. A timer writes the
 * counts, so a flood costs one statement every two seconds. Counts without room in memory or in the database are summed
 * up, and the page shows the sum.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { AppError } from "../errors/app-error.ts";
import { ERRORS } from "../errors/catalogue.ts";
import { splitAgentKey } from "../platform/answer-mac.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import * as requests from "./repository.ts";
import { NOT_LOGGED, type RefusedRequest, type RequestLogView, SHOWN_MAX } from "./schema.ts";

const WRITE_EVERY_MS = 2_000;
/** Groups that wait to be written. */
const GROUPS_MAX = 500;
/** Unknown keys that are listed one by one in a round; the others are counted together. */
const UNKNOWN_HINTS_MAX = 20;
const ROUTE_CHARACTERS_MAX = 80;
/** Agents' keys and service accounts' tokens, with the length of their public beginning. */
const PREFIXES = [
  ["qds_", 9],
  ["qd_", 8],
] as const;

export interface RefusedCall {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** The pattern of the route, or the path of a request without a route. */
  readonly route: string;
  readonly client: string | null;
}

export interface RequestLog {
  /** Counts a refused request that showed a key; ignores every other request. Never throws, never waits. */
  note(call: RefusedCall, failure: AppError): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Group {
  readonly keySha256: string;
  readonly hint: string;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly client: string;
  count: number;
  firstMs: number;
  lastMs: number;
}

export function createRequestLog({ pool, log, clock }: { pool: Pool; log: Log; clock: Clock }): RequestLog {
  let waiting = new Map<string, Group>();
  /** Refusals without room in memory, since the last round. */
  let dropped = 0;
  let last: Promise<void> = Promise.resolve();

  function note({ headers, method, route, client }: RefusedCall, { status, code }: AppError): void {
    const key = keyIn(headers.authorization);
    if (key === null || status < 400) return;
    const cut = route.slice(0, ROUTE_CHARACTERS_MAX);
    const fields = { ...key, status, code, method: method.slice(0, 10), route: cut, client: client ?? "" };
    const name = Object.values(fields).join("\n");
    const known = waiting.get(name);
    const nowMs = clock.now();
    if (known) {
      known.count += 1;
      known.lastMs = nowMs;
    } else if (waiting.size < GROUPS_MAX) waiting.set(name, { ...fields, count: 1, firstMs: nowMs, lastMs: nowMs });
    else dropped += 1;
  }

  async function write(): Promise<void> {
    if (waiting.size === 0 && dropped === 0) return;
    const [groups, more] = [[...waiting.values()], dropped];
    [waiting, dropped] = [new Map(), 0];
    try {
      await inInstallation(() => store(pool, groups, { count: more, nowMs: clock.now() }));
    } catch (err) {
      // The counts of a round are not worth a second attempt, but their number is.
      dropped += more + groups.reduce((sum, { count }) => sum + count, 0);
      log.debug({ err }, "refused requests could not be logged");
    }
  }

  const flush = (): Promise<void> => {
    last = last.then(write);
    return last;
  };
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS);
  timer.unref();
  return {
    note,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function keyIn(authorization: string | undefined): Pick<Group, "keySha256" | "hint"> | null {
  const token = /^Bearer +(\S{8,200})$/i.exec(authorization ?? "")?.[1];
  const prefix = PREFIXES.find(([begin]) => token?.startsWith(begin));
  if (token === undefined || prefix === undefined) return null;
  const { bearer } = splitAgentKey(token);
  return { keySha256: sha256(bearer).toString("hex"), hint: token.slice(0, prefix[1]) };
}

interface Dropped {
  readonly count: number;
  readonly nowMs: number;
}

async function store(pool: Pool, groups: readonly Group[], more: Dropped): Promise<void> {
  const owners = new Map(
    (await requests.findOwners(pool, [...new Set(groups.map(({ keySha256 }) => keySha256))])).map(
      (owner) => [owner.sha256, owner] as const,
    ),
  );
  // An unknown key is shown only where it can concern no other workspace.
  const only = await requests.findOnlyWorkspace(pool);
  const hints = new Set<string>();
  const stored = groups.flatMap((group): requests.StoredGroup[] => {
    const { keySha256, firstMs, lastMs, ...fields } = group;
    const times = { firstAt: new Date(firstMs), lastAt: new Date(lastMs) };
    const owner = owners.get(keySha256);
    if (owner) return [{ ...fields, ...times, ...owner }];
    if (only === null) return [];
    if (hints.size < UNKNOWN_HINTS_MAX) hints.add(fields.hint);
    const unknown = { workspaceId: only, subjectId: requests.UNKNOWN_KEY, ownerId: null };
    return [hints.has(fields.hint) ? { ...fields, ...times, ...unknown } : notLogged(only, fields.count, lastMs)];
  });
  if (more.count > 0 && only !== null) stored.push(notLogged(only, more.count, more.nowMs));
  if (stored.length === 0) return;
  await requests.add(pool, stored);
  await requests.trim(pool, [...new Set(stored.map(({ workspaceId }) => workspaceId))]);
}

function notLogged(workspaceId: string, count: number, ms: number): requests.StoredGroup {
  const at = new Date(ms);
  return {
    ...{ workspaceId, subjectId: requests.UNKNOWN_KEY, ownerId: null, hint: "", status: 0, code: NOT_LOGGED },
    ...{ method: "", route: "", client: "", count, firstAt: at, lastAt: at },
  };
}

/** The refused requests of an agent or a service account, or of unknown keys (null), in the last seven days. */
export async function listRefused(db: Database, workspaceId: string, ownerId: string | null): Promise<RequestLogView> {
  const rows = await requests.list(db.pool, workspaceId, ownerId);
  const logged = rows.filter(({ code }) => code !== NOT_LOGGED).slice(0, SHOWN_MAX);
  const rest = rows.filter(({ code }) => code === NOT_LOGGED);
  return {
    rows: logged.map(
      ({ client, ...row }): RefusedRequest => ({
        ...row,
        client: client === "" ? null : client,
        reason: reasonOf(row.code),
      }),
    ),
    notLogged: rest.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The sentence of an error code; the code itself for one of a later version. */
function reasonOf(code: string): string {
  const known: Readonly<Record<string, { readonly says: string }>> = ERRORS;
  return Object.hasOwn(known, code) ? (known[code]?.says ?? code) : code;
}
