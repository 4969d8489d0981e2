export { createAccounts } from "./accounts/accounts.ts";
export type { PasswordHash } from "./accounts/options.ts";
export { ensureFirstRun } from "./first-run.ts";
export { createMailer, hasMail, type Mailer } from "./installation/mail.ts";
export { removeMember, setRole } from "./members.ts";
export { actorOfSession, tokenIn } from "./session.ts";
export { cookieName as sessionCookieName } from "./session-cookie.ts";
export { createWorkspace } from "./workspaces.ts";
