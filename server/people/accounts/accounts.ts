/**
 * Accounts: passwords, second factors, sign-on. The library does the cryptography and the protocols, on our tables; what it
 * did is in the record when its answer leaves.
 */
import { betterAuth } from "better-auth";
import type { Whence } from "../../access/actor.ts";
import { sharedThrottle } from "../../access/throttle.ts";
import { recordAudit } from "../../audit/record.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { randomToken } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { Secrets } from "../../platform/secrets.ts";
import type { Siblings } from "../../platform/siblings.ts";
import { sendMail } from "../installation/mail.ts";
import { openSignOn, signOnVersion } from "../installation/sign-on.ts";
import { findPerson, listMemberships } from "../repository.ts";
import { deleteSessionById } from "../session-repository.ts";
import { homeOf } from "./admission.ts";
import { duringExchange, type Exchange } from "./exchange.ts";
import { accountOptions } from "./options.ts";
import type { AccountRoute } from "./routes.ts";

export interface Accounts {
  /** Answers a request to one of the routes. `email` is who it says it is, where it says so. */
  handle(request: Request, route: AccountRoute, from: Whence, email: string | null): Promise<Response>;
  /** The person's password from now on, in the caller's transaction. They have none yet. */
  givePassword(tx: Tx, personId: string, password: string): Promise<void>;
  /** The token of a link that sets a new password, within the hour; in the caller's transaction. */
  resetToken(tx: Tx, personId: string): Promise<string>;
}

export interface AccountsWorld {
  readonly db: Database;
  readonly log: Log;
  readonly url: string;
  readonly secrets: Pick<Secrets, "sessionSecret" | "credentialKey">;
  readonly siblings: Siblings;
}

const RESET_VALID_MS = 3_600_000;
/** Scrypt takes its time, and a busy machine more of it. */
const EXCHANGE_MS = 20_000;
const NOWHERE: Whence = { ip: null, userAgent: null };
/** Wrong passwords for one address, wherever they come from. */
const GUESSES = { failuresMax: 10, windowMs: 15 * 60_000 };

export function createAccounts({ db, log, url, secrets, siblings }: AccountsWorld): Accounts {
  const guesses = sharedThrottle(GUESSES, siblings, "passwords");

  async function mailReset({ email, name }: { email: string; name: string }, link: string) {
    const text = `Hello ${name},\n\nthis link sets a new password, once, within the hour:\n\n${link}\n\nIf you did not ask for it, nothing has changed.`;
    // Whoever asked must not learn from an error, or from how long it takes, whether the address is known.
    void sendMail(db, secrets.credentialKey, { to: email, subject: "Your Quarterdeck password", text }).catch(
      (err: unknown) => log.warn({ err }, "a reset link could not be mailed"),
    );
  }
  const build = async () => {
    const signOn = await openSignOn(db, secrets.credentialKey);
    const world = {
      db,
      log,
      url,
      secrets,
      mailReset: async (...mail: Parameters<typeof mailReset>) => mailReset(...mail),
    };
    return { version: signOn?.version ?? 0, auth: betterAuth(accountOptions(world, signOn)) };
  };
  let built: ReturnType<typeof build> | undefined;
  /** Made anew when the provider was changed, on whichever node. */
  async function library() {
    built ??= build();
    const current = await built.catch(() => undefined);
    if (current?.version === (await signOnVersion(db))) return current.auth;
    built = build();
    return (await built).auth;
  }

  const inTx = <T>(tx: Tx, work: (auth: Awaited<ReturnType<typeof library>>) => Promise<T>) =>
    library().then((auth) => duringExchange({ tx, from: NOWHERE, acts: [] }, () => work(auth)));

  return {
    async handle(request, route, from, email) {
      if (email !== null) guesses.check(email);
      const auth = await library();
      const answer = route.asksProvider
        ? await alone({ db, from }, () => auth.handler(request))
        : await db.prisma.$transaction((tx) => within({ tx, from, acts: [] }, () => auth.handler(request)), {
            timeout: EXCHANGE_MS,
          });
      if (email !== null && answer.status === 401) guesses.failed(email);
      if (email !== null && answer.ok) guesses.succeeded(email);
      return answer;
    },
    givePassword: (tx, personId, password) =>
      inTx(tx, async (auth) => {
        const { internalAdapter, password: hashing } = await auth.$context;
        const account = { userId: personId, providerId: "credential", accountId: personId };
        await internalAdapter.createAccount({ ...account, password: await hashing.hash(password) });
      }),
    resetToken: (tx, personId) =>
      inTx(tx, async (auth) => {
        const token = randomToken();
        const expiresAt = new Date(Date.now() + RESET_VALID_MS);
        const { internalAdapter } = await auth.$context;
        const identifier = `reset-password:${token}`;
        await internalAdapter.createVerificationValue({ identifier, value: personId, expiresAt });
        return token;
      }),
  };
}

async function within(exchange: Exchange & { readonly tx: Tx }, work: () => Promise<Response>): Promise<Response> {
  const answer = await duringExchange(exchange, work);
  await record(exchange.tx, exchange);
  return answer;
}

/** Without a transaction around it: what cannot be recorded is undone. */
async function alone({ db, from }: { db: Database; from: Whence }, work: () => Promise<Response>): Promise<Response> {
  const exchange: Exchange = { tx: null, from, acts: [] };
  const answer = await duringExchange(exchange, work);
  try {
    await db.prisma.$transaction((tx) => record(tx, exchange));
  } catch (error) {
    for (const { sessionId } of exchange.acts) if (sessionId !== null) await deleteSessionById(db.prisma, sessionId);
    throw error;
  }
  return answer;
}

/** A sign-in is told in the workspace it leads to; what changes how somebody proves who they are, in all of theirs. */
async function record(tx: Tx, { acts, from }: Exchange): Promise<void> {
  for (const { act, personId, how } of acts) {
    const person = await findPerson(tx, personId);
    const home = await homeOf(tx, personId);
    const name = person?.name ?? "";
    const all = act === "signed_in" ? [] : (await listMemberships(tx, personId)).map((one) => one.workspaceId);
    for (const workspaceId of act === "signed_in" && home !== null ? [home] : all) {
      const who = { kind: "person", id: personId, name, workspaceId, from } as const;
      await recordAudit(tx, who, { kind: "account_used", version: 1, by: name, person: personId, act, how });
    }
  }
}
