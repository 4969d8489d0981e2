import type { SelectOption } from "@/components/ui/select";
import { ROLES, type Role } from "@/server/access/schema";

/** The purpose of each role, in a few words. */
export const ROLE_SAYS: Readonly<Record<Role, string>> = {
  viewer: "sees everything, changes nothing",
  approver: "sees everything and reviews drafts",
  author: "writes and publishes policies without commands",
  admin: "manages policies, agents, judges and people",
  auditor: "sees everything, the audit record too",
  owner: "may do everything, and makes owners",
};

export const ROLE_OPTIONS: readonly SelectOption<Role>[] = ROLES.map((value) => ({ value, label: value }));
