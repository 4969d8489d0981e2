import type { SelectOption } from "@/components/ui/select";
import type { AdministratorPermission } from "@/server/access/permissions";
import { ROLES, type Role } from "@/server/access/role-schema";

/** The purpose of each role, in a sentence. */
export const ROLE_SAYS: Readonly<Record<Role, string>> = {
  viewer: "Sees agents, decisions, policies and costs. Cannot change anything.",
  approver: "Sees what a viewer sees. Approves drafts, answers waiting calls and halts agents.",
  author: "Writes and publishes policies that run no commands.",
  admin: "Manages policies, agents, judges, budgets and people.",
  auditor:
    "Sees what a viewer sees, plus audit log, people and sign-on. Can comment on calls and assign them, and change nothing else.",
  owner: "Can do everything, including managing owners, retention and sign-on.",
};

/** The permissions that distinguish the roles, with their page texts. */
export const ROLE_ABILITIES: readonly { readonly label: string; readonly to: AdministratorPermission }[] = [
  { label: "See agents, decisions, policies and costs", to: "console:read" },
  { label: "See the audit log", to: "audit:read" },
  { label: "See people, roles and service accounts", to: "people:read" },
  { label: "Comment on calls and assign them", to: "call:follow-up" },
  { label: "Approve drafts", to: "policy:review" },
  { label: "Answer approval requests", to: "approval:decide" },
  { label: "Halt agents", to: "halt:write" },
  { label: "Resume halted agents", to: "halt:resume" },
  { label: "Write and publish policies", to: "policy:publish" },
  { label: "Publish hooks that run commands", to: "policy:publish-commands" },
  { label: "Freeze changes, require a second approver", to: "policy:govern" },
  { label: "Manage agents and keys", to: "agent:write" },
  { label: "Manage judges", to: "judge:write" },
  { label: "Manage alerts", to: "alert:write" },
  { label: "Manage budgets", to: "budget:write" },
  { label: "Set the time zone of days and months", to: "calendar:write" },
  { label: "Invite people, change roles", to: "people:manage" },
  { label: "Make owners", to: "owner:manage" },
  { label: "Set retention, legal holds and erasure", to: "record:manage" },
];

export const ROLE_OPTIONS: readonly SelectOption<Role>[] = ROLES.map((value) => ({ value, label: value }));
