/**
 * Accounts: passwords, second factors, sign-on. The library does the cryptography and the protocols, on our tables; its
 * acts are recorded before its answer is sent.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { ClientInfo } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { randomToken } from "../../platform/ids.ts";
import type { WorkerRpc } from "../../platform/worker-rpc.ts";
import { endOtherAccess, notifyAccessChangeOf } from "../access-changes.ts";
import { deleteLinks, deleteVerifications } from "../link-repository.ts";
import { findPerson, findPersonByEmail, listMemberships, setSignedIn } from "../repository.ts";
import { cookieText, sessionOf } from "../session.ts";
import { cookieName, signedTokenIn } from "../session-cookie.ts";
import { confirmSession, deleteSessionById, isKnownAddress } from "../session-repository.ts";
import type { AccountLibrary, AccountLibraryWorld } from "./account-library.ts";
import { homeOf } from "./admission.ts";
import { createAttempts } from "./attempts.ts";
import { type AccountAttempt, confirmationOf, recordFailedConfirmation } from "./confirmation.ts";
import { type AccountAct, duringExchange, type HttpExchange } from "./http-exchange.ts";
import { personOfPasswordLink } from "./password-links.ts";
import type { AccountRoute } from "./routes.ts";

/** A request to one of the routes, with the parts that we check ourselves. */
export interface AccountCall {
  readonly request: Request;
  /** Under /api/auth, with its slash. */
  readonly path: string;
  readonly route: AccountRoute;
  readonly from: ClientInfo;
  /** The cookies, for whose account it is. */
  readonly cookies: Pick<IncomingHttpHeaders, "cookie">;
  /** The address that a sign-in names. */
  readonly email: string | null;
  /** The token of a link that sets a new password. */
  readonly resetToken: string | null;
}

export interface Accounts {
  /** Answers a call. Errors: `too_many_attempts`. */
  handle(call: AccountCall): Promise<Response>;
  /** Sets the person's first password, in the caller's transaction. */
  givePassword(tx: Tx, personId: string, password: string): Promise<void>;
  /**
   * Begins a challenge of the person's second factor, in the caller's transaction. Returns its cookie, as a header's
   * value.
   */
  askSecondFactor(tx: Tx, personId: string): Promise<string>;
}

export interface AccountsWorld extends AccountLibraryWorld {
  readonly workerRpc: WorkerRpc;
}

const CHALLENGE_VALID_MS = 10 * 60_000;
/** The validity of a token that the library consumes at once. */
const VOUCHED_MS = 60_000;
/** Scrypt takes its time, and a busy machine more of it. */
const EXCHANGE_MS = 20_000;
/** The library's name for the cookie of a challenge, behind its prefix. */
const CHALLENGE_COOKIE = "two_factor";
const NOWHERE: ClientInfo = { ip: null, userAgent: null };

export function createAccounts(world: AccountsWorld): Accounts {
  const { db, secrets, workerRpc } = world;
  const attempts = createAttempts(workerRpc);
  const library = loadLibrary(world);
  const inTx = <T>(tx: Tx, work: (auth: AccountLibrary) => Promise<T>) =>
    library().then((auth) => duringExchange({ tx, from: NOWHERE, acts: [], confirmedAt: null }, () => work(auth)));

  return {
    async handle(call) {
      const auth = await library();
      const attempt = await attemptOf(call, auth, world);
      // Uncounted, a guess would be free.
      if (attempt === "nobody") {
        const code = call.route.isSignedIn ? "UNAUTHORIZED" : "INVALID_TWO_FACTOR_COOKIE";
        return Response.json({ code }, { status: 401 });
      }
      if (attempt) await attempts.check(attempt);
      const answer = await answerOf(call, auth, db);
      if (attempt && (await isWrongGuess(answer))) {
        attempts.failed(attempt);
        await recordFailedConfirmation(db, attempt);
      }
      // A right password is no right code: the guesses at the second factor are counted on.
      else if (attempt && answer.ok) attempts.succeeded(attempt);
      return answer;
    },
    givePassword: (tx, personId, password) =>
      inTx(tx, async (auth) => {
        const { internalAdapter, password: hashing } = await auth.$context;
        const account = { userId: personId, providerId: "credential", accountId: personId };
        await internalAdapter.createAccount({ ...account, password: await hashing.hash(password) });
      }),
    askSecondFactor: (tx, personId) => inTx(tx, (auth) => askSecondFactor(auth, personId, secrets.sessionSecret)),
  };
}

/** The library is large, so a process loads it with its first call. */
function loadLibrary(world: AccountLibraryWorld): () => Promise<AccountLibrary> {
  let loaded: Promise<() => Promise<AccountLibrary>> | undefined;
  return async () => {
    loaded ??= import("./account-library.ts").then((library) => library.createAccountLibrary(world));
    return (await loaded)();
  };
}

/** Returns null when the call guesses nothing; `nobody` when it guesses a credential, but the account is unknown. */
async function attemptOf(
  call: AccountCall,
  auth: AccountLibrary,
  { db, url, secrets }: AccountsWorld,
): Promise<AccountAttempt | "nobody" | null> {
  const { route, path, from, email, cookies } = call;
  if (email !== null)
    return { account: `email:${email}`, from, isSuspect: false, isKnownHere: () => isEmailKnownAt(db, email, from.ip) };
  const isCode = path.startsWith("/two-factor/verify-");
  if (route.method !== "POST" || (!isCode && !route.isSignedIn)) return null;
  const context = await auth.$context;
  const tokenOf = (name: string) => signedTokenIn(cookies.cookie ?? "", name, secrets.sessionSecret);
  const session = tokenOf(cookieName(url));
  const challenge = tokenOf(context.createAuthCookie(CHALLENGE_COOKIE).name);
  const signedIn = session === null ? null : await sessionOf(db.prisma, session);
  const waiting =
    signedIn || challenge === null ? null : await context.internalAdapter.findVerificationValue(challenge);
  const personId = signedIn?.personId ?? waiting?.value;
  if (personId === undefined) return "nobody";
  const isKnownHere = async () => from.ip !== null && (await isKnownAddress(db.prisma, personId, from.ip));
  const isSuspect = isCode && signedIn === null && !(await isKnownHere());
  const account = `${isCode ? "code" : "password"}:${personId}`;
  return { account, from, isSuspect, isKnownHere, ...(signedIn && confirmationOf(path, signedIn)) };
}

async function isEmailKnownAt(db: Database, email: string, ip: string | null): Promise<boolean> {
  const person = await findPersonByEmail(db.prisma, email);
  return person !== null && ip !== null && (await isKnownAddress(db.prisma, person.id, ip));
}

async function answerOf(call: AccountCall, auth: AccountLibrary, db: Database): Promise<Response> {
  const { request, route, from, resetToken } = call;
  if (route.asksProvider) return alone({ db, from }, () => auth.handler(request));
  const work = async (tx: Tx): Promise<Response> => {
    const personId = resetToken === null ? null : await personOfPasswordLink(tx, resetToken, new Date());
    const isAdminReset = personId !== null;
    return within({ tx, from, acts: [], isAdminReset, confirmedAt: new Date() }, async () => {
      if (personId === null) return auth.handler(request);
      const { internalAdapter } = await auth.$context;
      const identifier = `reset-password:${resetToken}`;
      const expiresAt = new Date(Date.now() + VOUCHED_MS);
      await internalAdapter.createVerificationValue({ identifier, value: personId, expiresAt });
      const answer = await auth.handler(request);
      if (!answer.ok) await internalAdapter.deleteVerificationByIdentifier(identifier);
      return answer;
    });
  };
  try {
    return await db.prisma.$transaction(work, { timeout: EXCHANGE_MS });
  } catch (error) {
    if (error instanceof CodeUsed) return Response.json({ code: "INVALID_CODE" }, { status: 401 });
    throw error;
  }
}

async function askSecondFactor(auth: AccountLibrary, personId: string, sessionSecret: string): Promise<string> {
  const { internalAdapter, createAuthCookie } = await auth.$context;
  const identifier = `2fa-${randomToken()}`;
  const expiresAt = new Date(Date.now() + CHALLENGE_VALID_MS);
  // The library's own identifiers of a challenge and of its attempts.
  await internalAdapter.createVerificationValue({ identifier, value: personId, expiresAt });
  await internalAdapter.createVerificationValue({ identifier: `2fa-attempts-${identifier}`, value: "0", expiresAt });
  const { name, attributes } = createAuthCookie(CHALLENGE_COOKIE);
  const secure = attributes.secure ? "; Secure" : "";
  const value = cookieText(identifier, sessionSecret);
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${CHALLENGE_VALID_MS / 1000}${secure}`;
}

/** True for an answer to a wrong password or code. */
async function isWrongGuess(answer: Response): Promise<boolean> {
  if (answer.status === 401) return true;
  if (answer.status !== 400) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && body.code === "INVALID_PASSWORD";
}

async function within(exchange: HttpExchange & { readonly tx: Tx }, work: () => Promise<Response>): Promise<Response> {
  const answer = await duringExchange(exchange, work);
  if (exchange.isRefused) throw new CodeUsed();
  await record(exchange.tx, exchange);
  await endFormerAccess(exchange.tx, exchange);
  return answer;
}

/** Undoes the transaction in which a code of the second factor was used a second time. */
class CodeUsed extends Error {}

/** Ends the sessions and links that the former password gave access to. */
async function endFormerAccess(tx: Tx, { acts }: HttpExchange): Promise<void> {
  for (const { act, personId, sessionId } of acts) {
    if (act === "confirmed") continue;
    if (act === "signed_in") await setSignedIn(tx, personId);
    else if (act === "password_changed" && sessionId !== null) await endOtherAccess(tx, personId, sessionId);
    else {
      if (act === "password_reset") {
        await deleteLinks(tx, personId);
        await deleteVerifications(tx, personId);
      }
      await notifyAccessChangeOf(tx, personId);
    }
  }
}

/** Without a transaction around it: what cannot be recorded is undone. */
async function alone(
  { db, from }: { db: Database; from: ClientInfo },
  work: () => Promise<Response>,
): Promise<Response> {
  const exchange: HttpExchange = { tx: null, from, acts: [], confirmedAt: null };
  const answer = await duringExchange(exchange, work);
  try {
    await db.prisma.$transaction(async (tx) => {
      await record(tx, exchange);
      for (const { act, personId } of exchange.acts) if (act === "signed_in") await setSignedIn(tx, personId);
    });
  } catch (error) {
    for (const { sessionId } of exchange.acts) if (sessionId !== null) await deleteSessionById(db.prisma, sessionId);
    throw error;
  }
  return answer;
}

/**
 * Records the acts. A sign-in is an entry of the workspace that it opens, a confirmation of the workspace in the
 * session. A change of a person's authentication is an entry in each of their workspaces.
 */
async function record(tx: Tx, { acts, from }: HttpExchange): Promise<void> {
  for (const { act, personId, how, sessionId } of acts) {
    const person = await findPerson(tx, personId);
    const name = person?.name ?? "";
    const isConfirmed = act === "confirmed" && sessionId !== null;
    const workspaces = isConfirmed
      ? [await confirmSession(tx, sessionId, new Date())]
      : await workspacesOf(tx, act, personId);
    for (const workspaceId of workspaces) {
      const who = { kind: "person", id: personId, name, workspaceId, from } as const;
      await recordAudit(tx, who, { kind: "account_used", version: 1, by: name, person: personId, act, how });
    }
  }
}

async function workspacesOf(tx: Tx, act: AccountAct, personId: string): Promise<string[]> {
  if (act !== "signed_in") return (await listMemberships(tx, personId)).map((one) => one.workspaceId);
  const home = await homeOf(tx, personId);
  return home === null ? [] : [home];
}
