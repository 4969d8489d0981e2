/** The setup of the account library: our tables, our cookie, our rules of who gets in. */
import { APIError, getOAuthState } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { BetterAuthOptions } from "better-auth/types";
import type { MaskingInForce } from "../../masking/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { AddressRule } from "../../platform/outgoing/address-rule.ts";
import type { OpenSignOn } from "../installation/sign-on.ts";
import { keepOnlyPassword, updatePerson } from "../repository.ts";
import { SESSION_IDLE_MS, SESSION_VALID_MS } from "../session.ts";
import { cookieName } from "../session-cookie.ts";
import { recording } from "./account-audit.ts";
import { ACCOUNTS_PATH, ADDRESS_HEADER, SIGN_ON_ID } from "./account-names.ts";
import { accountAdapter } from "./adapter.ts";
import { admit, admitToAccount, homeOf, isInvited } from "./admission.ts";
import { currentExchange } from "./http-exchange.ts";
import { saveSignOnGroups } from "./sign-on-groups.ts";
import { signOnPlugin } from "./sign-on-provider.ts";

export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

/** The hashing of passwords. */
export interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

export interface AccountWorld {
  readonly db: Database;
  readonly masking: Pick<MaskingInForce, "of">;
  readonly log: Log;
  readonly url: string;
  readonly secrets: { readonly sessionSecret: string };
  /** Addresses of sign-on providers that may be asked. */
  readonly providers: AddressRule;
  /** Sends a reset link, when mail is set up. */
  readonly mailReset: (to: { readonly email: string; readonly name: string }, link: string) => Promise<void>;
  /** Scrypt at the library's cost when absent; only tests give another. */
  readonly passwordHash?: PasswordHash | undefined;
}

export function accountOptions(world: AccountWorld, signOn: OpenSignOn | null) {
  const { db, log, url } = world;
  return {
    appName: "Quarterdeck",
    baseURL: new URL(url).origin,
    basePath: ACCOUNTS_PATH,
    secret: world.secrets.sessionSecret,
    database: accountAdapter(db),
    telemetry: { enabled: false },
    // Its arguments may hold typed secrets.
    logger: { level: "warn", log: (_level, message) => log.debug({ message }, "accounts") },
    onAPIError: { errorURL: `${new URL(url).origin}/sign-in` },
    user: userOptions(db),
    session: SESSION_OPTIONS,
    account: ACCOUNT_OPTIONS,
    verification: { modelName: "personVerification", storeIdentifier: "hashed" },
    emailAndPassword: passwordOptions(world),
    rateLimit: RATE_LIMIT,
    advanced: advancedOptions(url),
    databaseHooks: databaseHooks(world),
    plugins: [secondFactor(), ...(signOn ? [signOnPlugin(world, signOn)] : []), recording(db)],
  } satisfies BetterAuthOptions;
}

const userOptions = (db: Database) =>
  ({
    modelName: "person",
    validateUserInfo: async ({ user, source }) => {
      const isProven = user.emailVerified === true && typeof user.email === "string";
      if (source.action === "create-user") {
        if (isProven && (await isInvited(db, String(user.email)))) return;
        return { error: "not_invited", errorDescription: "This e-mail address has no invitation." };
      }
      // A signed-in person is connecting the provider to their own account.
      if ((await getOAuthState())?.link) return;
      const isAdmitted = await admitToAccount(db, String(user.id), isProven ? String(user.email) : null, source.action);
      if (!isAdmitted) return { error: "account_not_linked", errorDescription: "The address was never verified." };
    },
  }) satisfies BetterAuthOptions["user"];

const SESSION_OPTIONS = {
  modelName: "browserSession",
  fields: { userId: "personId", token: "tokenSha256", ipAddress: "ip" },
  additionalFields: {
    workspaceId: { type: "string", required: false, input: false },
    confirmedAt: { type: "date", required: false, input: false },
  },
  // The cookie's; the session itself ends sooner when it is not used.
  expiresIn: SESSION_VALID_MS / 1000,
  // The session is extended where requests are authenticated (session.ts), not by the library.
  disableSessionRefresh: true,
  freshAge: 24 * 3_600,
} satisfies BetterAuthOptions["session"];

const ACCOUNT_OPTIONS = {
  modelName: "personAccount",
  fields: { userId: "personId" },
  encryptOAuthTokens: true,
  accountLinking: {
    enabled: true,
    trustedProviders: [],
    allowDifferentEmails: false,
    requireLocalEmailVerified: false,
  },
} satisfies BetterAuthOptions["account"];

const passwordOptions = ({ db, url, mailReset, passwordHash }: AccountWorld) =>
  ({
    enabled: true,
    disableSignUp: true,
    ...(passwordHash && { password: passwordHash }),
    minPasswordLength: PASSWORD_CHARS.min,
    maxPasswordLength: PASSWORD_CHARS.max,
    resetPasswordTokenExpiresIn: 3_600,
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: ({ user, token }) => mailReset(user, `${url}/sign-in/reset?token=${token}`),
    onPasswordReset: async ({ user }) => {
      const exchange = currentExchange();
      const isAdminReset = exchange?.isAdminReset === true;
      // A mailed link has been read by the address's owner alone.
      const tx = exchange?.tx ?? db.prisma;
      // The first proof of the address ends any access that another person may have had to the account.
      if (!isAdminReset && !user.emailVerified) await keepOnlyPassword(tx, user.id);
      await updatePerson(tx, user.id, { emailVerified: !isAdminReset });
      const how = isAdminReset ? "link of an admin" : "link by mail";
      exchange?.acts.push({ act: "password_reset", personId: user.id, how, sessionId: null });
    },
  }) satisfies BetterAuthOptions["emailAndPassword"];

const RATE_LIMIT = {
  enabled: true,
  storage: "memory",
  window: 60,
  max: 120,
  customRules: {
    // Counted by account too (attempts.ts): a limit by address only would lock out neighbours.
    "/sign-in/email": false,
    "/two-factor/*": false,
    "/change-password": false,
    "/verify-password": false,
    "/sign-in/social": { window: 60, max: 30 },
    "/request-password-reset": { window: 60, max: 5 },
    "/reset-password": { window: 60, max: 60 },
  },
} satisfies BetterAuthOptions["rateLimit"];

function advancedOptions(url: string) {
  const isSecure = url.startsWith("https:");
  return {
    useSecureCookies: false, // its prefix is __Secure-; ours is stricter, and in the names below
    cookiePrefix: isSecure ? "__Host-quarterdeck" : "quarterdeck",
    cookies: { session_token: { name: cookieName(url) } },
    defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    database: { generateId: () => uuidv7() },
  } satisfies BetterAuthOptions["advanced"];
}

const databaseHooks = ({ db, masking }: AccountWorld) =>
  ({
    session: {
      create: {
        before: async (session) => {
          const exchange = currentExchange();
          const workspaceId = await homeOf(exchange?.tx ?? db.prisma, session.userId);
          if (workspaceId === null)
            throw new APIError("FORBIDDEN", { code: "no_workspace", message: "You no longer belong to a workspace." });
          const groups = exchange?.groups;
          if (groups) await db.prisma.$transaction((tx) => saveSignOnGroups(tx, masking, session.userId, groups));
          const expiresAt = new Date(Date.now() + SESSION_IDLE_MS);
          return { data: { ...session, workspaceId, expiresAt, confirmedAt: exchange?.confirmedAt ?? null } };
        },
      },
    },
    user: { create: { after: (user) => admit(db, user) } },
    account: {
      create: {
        // The provider vouches for the address of the account that it is connected to: the library compared the two.
        after: async ({ providerId, userId }) => {
          if (providerId === SIGN_ON_ID && (await getOAuthState())?.link)
            await updatePerson(currentExchange()?.tx ?? db.prisma, userId, { emailVerified: true });
        },
      },
    },
  }) satisfies BetterAuthOptions["databaseHooks"];

const secondFactor = () =>
  twoFactor({
    issuer: "Quarterdeck",
    schema: { twoFactor: { modelName: "personSecondFactor", fields: { userId: "personId" } } },
    backupCodeOptions: { storeBackupCodes: "encrypted" },
    // Wrong codes are counted by account and address (attempts.ts): counting by account only would let anyone lock it.
    accountLockout: { enabled: false },
  });
