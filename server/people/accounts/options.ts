/** How the account library is set up: our tables, our cookie, our rules of who gets in. */
import { APIError, createAuthMiddleware } from "better-auth/api";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth/types";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { OpenSignOn } from "../installation/sign-on.ts";
import { SESSION_VALID_MS } from "../session.ts";
import { cookieName } from "../session-cookie.ts";
import { accountAdapter } from "./adapter.ts";
import { admit, homeOf, isInvited } from "./admission.ts";
import { currentExchange } from "./exchange.ts";

export const ACCOUNTS_PATH = "/api/auth";
/** The header the gateway puts the address of the connection in; what a client sends under this name is dropped. */
export const ADDRESS_HEADER = "x-quarterdeck-address";
export const SIGN_ON_ID = "sign-on";
export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

export interface AccountWorld {
  readonly db: Database;
  readonly log: Log;
  readonly url: string;
  readonly secrets: { readonly sessionSecret: string };
  /** Sends a reset link, when mail is set up. */
  readonly mailReset: (to: { readonly email: string; readonly name: string }, link: string) => Promise<void>;
}

export function accountOptions(world: AccountWorld, signOn: OpenSignOn | null) {
  const { db, log, url } = world;
  const isSecure = url.startsWith("https:");
  return {
    appName: "Quarterdeck",
    baseURL: new URL(url).origin,
    basePath: ACCOUNTS_PATH,
    secret: world.secrets.sessionSecret,
    database: accountAdapter(db),
    telemetry: { enabled: false },
    // Its arguments may hold what was typed.
    logger: { level: "warn", log: (_level, message) => log.debug({ message }, "accounts") },
    onAPIError: { errorURL: `${new URL(url).origin}/sign-in` },
    user: {
      modelName: "person",
      validateUserInfo: async ({ user, source }) => {
        if (source.action !== "create-user") return;
        const isProven = user.emailVerified === true && typeof user.email === "string";
        if (isProven && (await isInvited(db, String(user.email)))) return;
        return { error: "not_invited", errorDescription: "Nobody invited this e-mail address." };
      },
    },
    session: {
      modelName: "browserSession",
      fields: { userId: "personId", token: "tokenSha256", ipAddress: "ip" },
      additionalFields: { workspaceId: { type: "string", required: false, input: false } },
      expiresIn: SESSION_VALID_MS / 1000,
      // The session's end stands; nothing is written while somebody only looks.
      disableSessionRefresh: true,
      freshAge: 24 * 3_600,
    },
    account: {
      modelName: "personAccount",
      fields: { userId: "personId" },
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, trustedProviders: [], allowDifferentEmails: false },
    },
    verification: { modelName: "personVerification", storeIdentifier: "hashed" },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARS.min,
      maxPasswordLength: PASSWORD_CHARS.max,
      resetPasswordTokenExpiresIn: 3_600,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => world.mailReset(user, `${url}/sign-in/reset?token=${token}`),
      onPasswordReset: async ({ user }) =>
        void currentExchange()?.acts.push({ act: "password_reset", personId: user.id, how: "link", sessionId: null }),
    },
    rateLimit: {
      enabled: true,
      storage: "memory",
      window: 60,
      max: 120,
      customRules: {
        "/sign-in/email": { window: 60, max: 60 },
        "/sign-in/social": { window: 60, max: 30 },
        "/two-factor/*": { window: 60, max: 60 },
        "/request-password-reset": { window: 60, max: 5 },
        "/reset-password": { window: 60, max: 10 },
        "/change-password": { window: 60, max: 20 },
      },
    },
    advanced: {
      useSecureCookies: false, // its prefix is __Secure-; ours is stricter, and in the names below
      cookiePrefix: isSecure ? "__Host-quarterdeck" : "quarterdeck",
      cookies: { session_token: { name: cookieName(url) } },
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => uuidv7() },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            const workspaceId = await homeOf(currentExchange()?.tx ?? db.prisma, session.userId);
            if (workspaceId === null)
              throw new APIError("FORBIDDEN", { code: "no_workspace", message: "You are in no workspace any more." });
            return { data: { ...session, workspaceId } };
          },
        },
      },
      user: { create: { after: (user) => admit(db, user) } },
    },
    plugins: [
      twoFactor({
        issuer: "Quarterdeck",
        schema: { twoFactor: { modelName: "personSecondFactor", fields: { userId: "personId" } } },
        backupCodeOptions: { storeBackupCodes: "encrypted" },
      }),
      ...(signOn ? [provider(signOn)] : []),
      recording(),
    ],
  } satisfies BetterAuthOptions;
}

function provider({ issuer, clientId, clientSecret }: OpenSignOn) {
  return genericOAuth({
    config: [
      {
        providerId: SIGN_ON_ID,
        discoveryUrl: `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
      },
    ],
  });
}

const ACTS = {
  "/change-password": "password_changed",
  "/two-factor/disable": "second_factor_off",
  "/two-factor/generate-backup-codes": "recovery_codes_renewed",
} as const;

/** Notes what belongs in the record. Last among the plugins: a sign-in that waits for its second factor is none yet. */
function recording(): BetterAuthPlugin {
  return {
    id: "recording",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            const { path = "", context } = ctx;
            const acts = currentExchange()?.acts;
            if (context.returned instanceof Error || acts === undefined) return;
            const before = context.session?.user;
            const made = context.newSession;
            // Changing a password or the second factor makes a new session too; that is no sign-in.
            if (made && !before)
              acts.push({ act: "signed_in", personId: made.user.id, how: howOf(path), sessionId: made.session.id });
            const act = path in ACTS ? ACTS[path as keyof typeof ACTS] : undefined; // just seen to be a key
            if (before && act) acts.push({ act, personId: before.id, how: "settings", sessionId: null });
            if (before && path === "/two-factor/verify-totp" && before.twoFactorEnabled !== true)
              acts.push({ act: "second_factor_on", personId: before.id, how: "settings", sessionId: null });
          }),
        },
      ],
    },
  };
}

function howOf(path: string): string {
  if (path === "/sign-in/email") return "password";
  if (path.startsWith("/two-factor/")) return path.endsWith("backup-code") ? "recovery code" : "second factor";
  return "sign-on";
}
