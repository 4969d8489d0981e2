import { z } from "zod";
import { AGENT_ENTRIES } from "./agent-entries.ts";
import { APPROVAL_ENTRIES } from "./approval-entries.ts";
import { MONEY_ENTRIES } from "./money-entries.ts";
import { PEOPLE_ENTRIES } from "./people-entries.ts";
import { POLICY_ENTRIES } from "./policy-entries.ts";
import { RECORD_ENTRIES } from "./record-entries.ts";

/**
 * The entries that the audit chain may hold. Append-only: an entry outlives its shape, so each kind carries a version and a changed
 * shape is a new version beside the old one. In what is chained the names of people give way to their ids, and the key `names` is added
 * (person-names.ts).
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
