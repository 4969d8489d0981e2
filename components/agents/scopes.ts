import type { KeyScope } from "@/server/access/role-schema";

/** The calls that each scope of a key opens. */
export const SCOPE_SAYS: Readonly<Record<KeyScope, string>> = {
  dispatch: "sends events and gets decisions",
  report: "reports local decisions",
  policy: "fetches the policy",
};
