/**
 * The application's role in the embedded PostgreSQL: it owns no tables and cannot bypass row-level security. The tables
 * belong to the owner role, which migrates, backs up and restores.
 */
import type { Client } from "pg";

export const APPLICATION = "quarterdeck_app";

/**
 * Creates the role, and grants it access to the tables of the database that `owner` is connected to, including future
 * ones.
 */
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
