import { z } from "zod";
import { AGENT_ENTRIES } from "./agent-entries.ts";
import { APPROVAL_ENTRIES } from "./approval-entries.ts";
import { MONEY_ENTRIES } from "./money-entries.ts";
import { PEOPLE_ENTRIES } from "./people-entries.ts";
import { POLICY_ENTRIES } from "./policy-entries.ts";
import { RECORD_ENTRIES } from "./record-entries.ts";

/**
 * The entries that the audit chain may hold. Append-only: an entry outlives its schema, so each kind has a version, and
 * a changed schema is added as a new version. Chained entries hold people's ids instead of their names, and a key
 * `names` (person-names.ts).
 */
export const auditEntry = z.discriminatedUnion("kind", [
  ...PEOPLE_ENTRIES,
  ...AGENT_ENTRIES,
  ...POLICY_ENTRIES,
  ...APPROVAL_ENTRIES,
  ...MONEY_ENTRIES,
  ...RECORD_ENTRIES,
]);
export type AuditEntry = z.infer<typeof auditEntry>;
