/** Records the acts of account calls, and refuses a code of the second factor that was used before. */
import { createAuthMiddleware } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { BetterAuthPlugin } from "better-auth/types";
import type { Database } from "../../platform/db.ts";
import { findSecondFactor, spendStep } from "../repository.ts";
import { confirmationBy } from "./confirmation.ts";
import { findTotpStep } from "./find-totp-step.ts";
import { currentExchange } from "./http-exchange.ts";

const ACTS = {
  "/change-password": "password_changed",
  "/two-factor/disable": "second_factor_off",
  "/two-factor/generate-backup-codes": "recovery_codes_renewed",
} as const;

/**
 * Records account acts in the audit log. It is the last plugin: a sign-in that still waits for its second factor is not
 * recorded yet.
 */
export function recording(db: Database): BetterAuthPlugin {
  return {
    id: "recording",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            const { path = "", context } = ctx;
            const exchange = currentExchange();
            if (isRefusal(context.returned) || exchange === undefined) return;
            const { acts } = exchange;
            const before = context.session?.user;
            const made = context.newSession;
            if (path === "/two-factor/verify-totp") {
              const personId = made?.user.id ?? before?.id;
              const isFirstUse =
                personId !== undefined &&
                (await spendCode(db, personId, String(ctx.body?.code ?? ""), context.secretConfig));
              if (!isFirstUse) exchange.isRefused = true;
            }
            // Changing a password or the second factor also creates a session; that is not a sign-in.
            if (made && !before)
              acts.push({ act: "signed_in", personId: made.user.id, how: howOf(path), sessionId: made.session.id });
            const act = path in ACTS ? ACTS[path as keyof typeof ACTS] : undefined; // just seen to be a key
            const session = made ?? context.session;
            if (before && act)
              acts.push({ act, personId: before.id, how: "settings", sessionId: session?.session.id ?? null });
            const how = before && !made ? confirmationBy(path, before.twoFactorEnabled === true) : null;
            if (before && session && how !== null)
              acts.push({ act: "confirmed", personId: before.id, how, sessionId: session.session.id });
            if (before && path === "/two-factor/verify-totp" && before.twoFactorEnabled !== true)
              acts.push({ act: "second_factor_on", personId: before.id, how: "settings", sessionId: null });
          }),
        },
      ],
    },
  };
}

/** The library throws a redirect too, such as the one at the end of a sign-in by the provider. */
const isRefusal = (returned: unknown): boolean =>
  returned instanceof Error && !("statusCode" in returned && Number(returned.statusCode) < 400);

function howOf(path: string): string {
  if (path === "/sign-in/email") return "password";
  if (path.startsWith("/two-factor/")) return path.endsWith("backup-code") ? "recovery code" : "second factor";
  return "sign-on";
}

/** The type of the key that the library seals secrets under. */
type Key = Parameters<typeof symmetricDecrypt>[0]["key"];

/** True when neither this code nor a later one was used before on any node: the row of the second factor decides. */
async function spendCode(db: Database, personId: string, code: string, key: Key): Promise<boolean> {
  const tx = currentExchange()?.tx ?? db.prisma;
  const factor = await findSecondFactor(tx, personId);
  if (!factor) return false;
  const secret = await symmetricDecrypt({ key, data: factor.secret });
  const step = findTotpStep(secret, code, Date.now());
  return step !== null && (await spendStep(tx, personId, step));
}
