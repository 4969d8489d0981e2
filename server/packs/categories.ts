/** The category of each pack in the gallery. */
import type { PackCategory } from "./schema.ts";

const BY_ID: Readonly<Record<string, PackCategory>> = {
  "catastrophe-only": "Commands",
  "git-safety": "Commands",
  "package-installs": "Commands",
  "cloud-clis": "Commands",
  "protected-paths": "Files",
  "read-only-agent": "Files",
  "secrets-out": "Data and network",
  "network-egress": "Data and network",
  "database-care": "Data and network",
  "prompt-hygiene": "Prompts and judges",
  "judge-with-filter": "Prompts and judges",
  "compaction-steward": "Records and budgets",
  "budget-guard": "Records and budgets",
  "audit-everything": "Records and budgets",
};

export const categoryOf = (packId: string): PackCategory => BY_ID[packId] ?? "Commands";
