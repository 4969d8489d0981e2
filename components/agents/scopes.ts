import type { KeyScope } from "@/server/access/role-schema";

/** The calls that each scope of a key opens. */
export const SCOPE_SAYS: Readonly<Record<KeyScope, string>> = {
  dispatch: "asks what may be done, event by event",
  report: "reports decisions made beside the agent",
  policy: "fetches the policy in force",
};
