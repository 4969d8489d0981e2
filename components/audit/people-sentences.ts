/** The sentences about people, their accounts and the workspace. */
import { day, sentences } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";

const forDays = (days: number | null) => (days ? `, for ${plural(days, "day")}` : "");

const ACCOUNT_ACTS = {
  signed_in: "signed in",
  signed_out_elsewhere: "signed out elsewhere",
  password_set: "set a password",
  address_proven: "proved the address, and ended what opened the account before",
  password_changed: "changed the password",
  password_reset: "reset the password",
  reset_link_created: "made a link to reset a password",
  second_factor_on: "turned the second factor on",
  second_factor_off: "turned the second factor off",
  recovery_codes_renewed: "renewed the recovery codes",
  renamed: "changed a name",
  confirmed: "confirmed who they are",
  confirmation_failed: "tried to confirm who they are, and failed",
} as const;

export const PEOPLE_SENTENCES = sentences({
  workspace_created: { label: "workspace made", says: (e) => `made the workspace ${e.name}` },
  sign_in_link_created: { label: "sign-in link", says: () => "made a sign-in link" },
  signed_in: { label: "signed in", says: () => "signed in with a link" },
  role_changed: { label: "role changed", says: (e) => `made ${e.name} ${e.to} instead of ${e.from}` },
  person_removed: { label: "person removed", says: (e) => `removed ${e.name}, who was ${e.role}` },
  access_extended: {
    label: "access extended",
    says: (e) =>
      e.to === null
        ? `made the access of ${e.name} (${e.role}) permanent instead of until ${day(e.from)}`
        : `extended the access of ${e.name} (${e.role}) from ${day(e.from)} until ${day(e.to)}`,
  },
  access_ended: { label: "access ended", says: (e) => `the access of ${e.name}, who was ${e.role}, ended as agreed` },
  account_used: { label: "account", says: (e) => `${ACCOUNT_ACTS[e.act]}${e.how === "" ? "" : ` (${e.how})`}` },
  invitation_created: {
    label: "invited",
    says: (e) => `invited ${e.email} as ${e.role}${e.version === 2 ? forDays(e.accessDays) : ""}`,
  },
  invitation_withdrawn: { label: "invitation withdrawn", says: (e) => `withdrew the invitation of ${e.email}` },
  invitation_accepted: {
    label: "invitation accepted",
    says: (e) => `accepted the invitation of ${e.email}, as ${e.role}`,
  },
  service_created: { label: "service account", says: (e) => `made the service account ${e.name} as ${e.role}` },
  service_removed: { label: "service account removed", says: (e) => `removed the service account ${e.name}` },
  service_token_created: {
    label: "token made",
    says: (e, name) => `made a token of ${name}, until ${day(e.expiresAt)}`,
  },
  service_token_revoked: { label: "token revoked", says: (_, name) => `revoked a token of ${name}` },
  sign_on_saved: { label: "sign-on", says: (e) => `set sign-on through ${e.issuer}` },
  sign_on_removed: { label: "sign-on removed", says: () => "removed sign-on" },
  mail_saved: { label: "mail", says: (e) => `set mail through ${e.host}` },
});
