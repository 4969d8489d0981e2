/**
 * The role that the application works as in a PostgreSQL of ours: it owns nothing and cannot pass row-level security.
 * The tables stay their owner's, who migrates, backs up and restores.
 */
import type { Client } from "pg";

export const APPLICATION = "quarterdeck_app";

/** Makes the role, and lets it work with the tables of the database `owner` is connected to, those of tomorrow too. */
export async function admitApplication(owner: Client): Promise<void> {
  await owner.query(`DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APPLICATION}') THEN CREATE ROLE ${APPLICATION}; END IF;
  END $$`);
  await owner.query(`ALTER ROLE ${APPLICATION} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION`);
  for (const [rights, things] of RIGHTS) {
    await owner.query(`GRANT ${rights} ON ALL ${things} IN SCHEMA public TO ${APPLICATION}`);
    // The months of `dispatch` are made while the application runs.
    await owner.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${rights} ON ${things} TO ${APPLICATION}`);
  }
  // The book of migrations is the owner's.
  await owner.query(`REVOKE ALL ON "_prisma_migrations" FROM ${APPLICATION}`);
}

const RIGHTS = [
  ["SELECT, INSERT, UPDATE, DELETE", "TABLES"],
  ["USAGE, SELECT", "SEQUENCES"],
  ["EXECUTE", "FUNCTIONS"],
] as const;
