/** Every pack, in the order the gallery shows them: what suits everyone first. */
import type { Pack } from "./pack.ts";
import { auditEverything } from "./ready/audit-everything.ts";
import { budgetGuard } from "./ready/budget-guard.ts";
import { catastropheOnly } from "./ready/catastrophe-only.ts";
import { cloudClis } from "./ready/cloud-clis.ts";
import { compactionSteward } from "./ready/compaction-steward.ts";
import { databaseCare } from "./ready/database-care.ts";
import { gitSafety } from "./ready/git-safety.ts";
import { judgeWithFilter } from "./ready/judge-with-filter.ts";
import { networkEgress } from "./ready/network-egress.ts";
import { packageInstalls } from "./ready/package-installs.ts";
import { promptHygiene } from "./ready/prompt-hygiene.ts";
import { protectedPaths } from "./ready/protected-paths.ts";
import { readOnlyAgent } from "./ready/read-only-agent.ts";
import { secretsOut } from "./ready/secrets-out.ts";
import { sequences } from "./ready/sequences.ts";

export const PACKS: readonly Pack[] = [
  catastropheOnly,
  secretsOut,
  gitSafety,
  packageInstalls,
  protectedPaths,
  networkEgress,
  cloudClis,
  databaseCare,
  sequences,
  readOnlyAgent,
  promptHygiene,
  compactionSteward,
  budgetGuard,
  auditEverything,
  judgeWithFilter,
];
