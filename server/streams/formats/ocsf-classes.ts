/**
 * The classes of OCSF 1.6.0 that events of the record become. docs/siem.md is written from this table. An act without a
 * row of its own is a change of an entity. Pure.
 */
export const OCSF_VERSION = "1.6.0";

interface OcsfClass {
  readonly uid: number;
  readonly name: string;
  readonly category: readonly [uid: number, name: string];
  readonly activities: Readonly<Record<number, string>>;
}

const IAM = [3, "Identity & Access Management"] as const;
const APPLICATION = [6, "Application Activity"] as const;

export const OCSF_CLASSES = {
  account_change: {
    ...{ uid: 3001, name: "Account Change", category: IAM },
    activities: {
      ...{ 1: "Create", 2: "Enable", 3: "Password Change", 4: "Password Reset", 5: "Disable", 6: "Delete" },
      ...{ 10: "MFA Factor Enable", 11: "MFA Factor Disable", 99: "Other" },
    },
  },
  authentication: {
    ...{ uid: 3002, name: "Authentication", category: IAM },
    activities: { 1: "Logon", 2: "Logoff", 6: "Preauth", 99: "Other" },
  },
  entity_management: {
    ...{ uid: 3004, name: "Entity Management", category: IAM },
    activities: {
      ...{ 1: "Create", 2: "Read", 3: "Update", 4: "Delete", 6: "Enroll", 8: "Enable", 9: "Disable", 10: "Activate" },
      ...{ 11: "Deactivate", 12: "Suspend", 13: "Resume", 99: "Other" },
    },
  },
  user_access: {
    ...{ uid: 3005, name: "User Access Management", category: IAM },
    activities: { 1: "Assign Privileges", 2: "Revoke Privileges", 99: "Other" },
  },
  api_activity: {
    ...{ uid: 6003, name: "API Activity", category: APPLICATION },
    activities: { 1: "Create", 2: "Read", 3: "Update", 4: "Delete", 99: "Other" },
  },
} as const satisfies Record<string, OcsfClass>;
export type OcsfClassName = keyof typeof OCSF_CLASSES;

/** The class of the events of agents. */
export const AGENT_CLASS: OcsfClassName = "api_activity";

/** Acts with a class and an activity of their own. */
export const ACTS: Readonly<Record<string, readonly [OcsfClassName, number]>> = {
  signed_in: ["authentication", 1],
  "account_used/signed_in": ["authentication", 1],
  "account_used/signed_out_elsewhere": ["authentication", 2],
  "account_used/confirmed": ["authentication", 6],
  "account_used/confirmation_failed": ["authentication", 6],
  sign_in_link_created: ["authentication", 99],
  "account_used/password_set": ["account_change", 3],
  "account_used/password_changed": ["account_change", 3],
  "account_used/password_reset": ["account_change", 4],
  "account_used/reset_link_created": ["account_change", 4],
  "account_used/second_factor_on": ["account_change", 10],
  "account_used/second_factor_off": ["account_change", 11],
  "account_used/recovery_codes_renewed": ["account_change", 99],
  "account_used/renamed": ["account_change", 99],
  "account_used/address_proven": ["account_change", 99],
  role_changed: ["user_access", 1],
  access_extended: ["user_access", 1],
  invitation_created: ["user_access", 1],
  invitation_accepted: ["user_access", 1],
  invitation_withdrawn: ["user_access", 2],
  person_removed: ["user_access", 2],
  access_ended: ["user_access", 2],
  halted: ["entity_management", 12],
  halt_resumed: ["entity_management", 13],
  workspace_frozen: ["entity_management", 12],
  workspace_thawed: ["entity_management", 13],
  enrolment_token_used: ["entity_management", 6],
  policy_published: ["entity_management", 10],
  policy_rolled_back: ["entity_management", 10],
};

/** The activity of other acts, by the last word of their kind. */
export const ACTIVITIES_BY_WORD: Readonly<Record<string, number>> = {
  ...{ created: 1, made: 1, added: 1, requested: 1, placed: 1, started: 1, begun: 1 },
  ...{ removed: 4, deleted: 4, dropped: 4, erased: 4, revoked: 4, retired: 9, ended: 11, stopped: 11, withdrawn: 11 },
  ...{ lapsed: 11, restored: 8, applied: 10, resumed: 13 },
};
export const UPDATE = 3;
