/**
 * Refuses a database address where one connection is not one session: the scope of every query is a setting of its
 * session.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { StartupError } from "../platform/env.ts";

/** Transactions held open during the check, so that a pooler has to lend them the session of the first connection. */
const HOLDERS = 2;
const LOOKS = 3;
/** As PgBouncer answers BEGIN with `pool_mode = statement`. */
const SQLSTATE_PROTOCOL_VIOLATION = "08P01";

/** The addresses that can be checked, by the variable that says them. */
export type AddressVariable = "DATABASE_URL" | "DATABASE_READ_URL";

type WithClient = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;

/**
 * Resolves when two statements of one connection use the same session. Errors: a `StartupError`, or those of the
 * connection.
 */
export async function checkSessions(withClient: WithClient, variable: AddressVariable = "DATABASE_URL"): Promise<void> {
  if (await withClient((client) => keepsSession(client, withClient))) return;
  throw new StartupError(
    `${variable} leads to a connection pooler that lends one session to several clients; rows of workspaces could then not be kept apart. Set pool_mode = session in PgBouncer, or connect to PostgreSQL directly.`,
  );
}

async function keepsSession(client: pg.Client, withClient: WithClient): Promise<boolean> {
  const nonce = randomUUID();
  const first = await ask(client, "SELECT pg_backend_pid() AS pid, set_config($1, $2, false) AS nonce", [NAME, nonce]);
  const holdAndLook = (held: number): Promise<boolean> =>
    withClient(async (holder) => {
      try {
        await holder.query("BEGIN");
        const { pid } = await ask(holder, PID, []);
        // Two connections share one session; a further query on the first would block.
        if (pid === first.pid) return false;
        if (held < HOLDERS) return await holdAndLook(held + 1);
        for (let look = 0; look < LOOKS; look += 1) {
          const seen = await ask(client, LOOK, [NAME]);
          if (seen.pid !== first.pid || seen.nonce !== nonce) return false;
        }
        return true;
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === SQLSTATE_PROTOCOL_VIOLATION) return false;
        throw error;
      }
    });
  return holdAndLook(1);
}

const NAME = "quarterdeck.session";
const PID = "SELECT pg_backend_pid() AS pid, NULL AS nonce";
const LOOK = "SELECT pg_backend_pid() AS pid, current_setting($1, true) AS nonce";

interface Seen {
  readonly pid: number;
  readonly nonce: string | null;
}

async function ask(client: pg.Client, text: string, values: readonly string[]): Promise<Seen> {
  const { rows } = await client.query<Seen>(text, [...values]);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL answered without a row");
  return row;
}
