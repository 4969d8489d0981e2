/**
 * Logins of machines, as OAuth 2.0 Device Authorization Grant (RFC 8628). The machine has the key of its agent already, so
 * a confirmed login gives it no credential: it makes the person the proven owner of the agent.
 */
import { redactText } from "@quarterdeck/hooks";
import type { Administrator, AgentActor } from "../access/actor.ts";
import { createFailureThrottle, type FailureThrottle } from "../access/failure-throttle.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { type Secrets, sha256 } from "../platform/secrets.ts";
import { raiseSequence } from "../policies/index.ts";
import {
  findObstacle,
  findOwner,
  findPerson,
  findUsablePrincipal,
  type LockedAgent,
  lockAgent,
  logIn,
  logOut,
} from "../principals/index.ts";
import type { PrincipalView } from "../principals/schema.ts";
import { hashUserCode, newUserCode } from "./codes.ts";
import * as logins from "./repository.ts";
import {
  type AgentOwnerView,
  type ByUserCode,
  type ConfirmedLogin,
  type DeviceCodeView,
  LOGIN_LIMITS,
  type LoginRequest,
  type LoginResult,
  type LogoutResult,
  type ResultRequest,
  shownCode,
  type WaitingLogin,
} from "./schema.ts";

/** The part of the running server that logins need. */
export interface DeviceLogins {
  readonly db: Database;
  readonly bus: Bus;
  readonly url: string;
  readonly secret: string;
  /** Wrong codes, by account. */
  readonly wrongCodes: FailureThrottle;
  /** The accounts whose code is looked up now. */
  readonly entering: Set<string>;
  /** Asked logins, by address. */
  readonly asked: FailureThrottle;
}

const PERIOD_MS = LOGIN_LIMITS.minutes * 60_000;
/** Among 2.5e10 codes, a code that is taken is a chance of 1 in 25 million at most. */
const CODE_TRIES = 3;
const HOST_CHARACTERS = 253;

export function createDeviceLogins(world: {
  readonly db: Database;
  readonly bus: Bus;
  readonly url: string;
  readonly secrets: Pick<Secrets, "sessionSecret">;
}): DeviceLogins {
  const { db, bus, url, secrets } = world;
  return {
    ...{ db, bus, url, secret: secrets.sessionSecret },
    wrongCodes: createFailureThrottle({ failuresMax: LOGIN_LIMITS.wrongCodes, windowMs: PERIOD_MS }),
    entering: new Set(),
    asked: createFailureThrottle({ failuresMax: LOGIN_LIMITS.perAddress, windowMs: PERIOD_MS }),
  };
}

/** Begins a login. Errors: `too_many_logins`, `too_many_attempts`. */
export async function ask(
  { db, url, secret, asked }: DeviceLogins,
  actor: AgentActor,
  { host_name }: LoginRequest,
  ip: string | null,
): Promise<DeviceCodeView> {
  const { workspaceId, id: agentId, keyFingerprint } = actor;
  if (keyFingerprint === undefined) throw new AppError("unauthenticated");
  const hostName = redactText(host_name).slice(0, HOST_CHARACTERS);
  const address = ip ?? "unknown";
  asked.check(address);
  asked.failed(address);
  const deviceCode = randomToken();
  const login = { agentId, keyFingerprint, deviceCode: sha256(deviceCode), hostName, ip };
  return db.prisma.$transaction(async (tx) => {
    // Requests of one agent are counted one after the other.
    await logins.lockAgent(tx, workspaceId, agentId);
    const recent = await logins.countRecent(tx, workspaceId, agentId);
    if (recent.ofAgent >= LOGIN_LIMITS.perAgent || recent.total >= LOGIN_LIMITS.perWorkspace)
      throw new AppError("too_many_logins", agentId, { retryAfterSeconds: PERIOD_MS / 1_000 });
    return {
      device_code: deviceCode,
      user_code: shownCode(await insertWithCode(tx, workspaceId, login, secret)),
      verification_uri: `${url}/agents/login`,
      expires_in: PERIOD_MS / 1_000,
      interval: LOGIN_LIMITS.intervalSeconds,
      agent: actor.name,
      workspace: await logins.findWorkspaceName(tx, workspaceId),
    };
  });
}

async function insertWithCode(
  tx: Tx,
  workspaceId: string,
  login: Omit<logins.NewLogin, "id" | "userCode">,
  secret: string,
): Promise<string> {
  for (let tries = 0; tries < CODE_TRIES; tries += 1) {
    const code = newUserCode();
    const row = { ...login, id: uuidv7(), userCode: hashUserCode(secret, code) };
    if (await logins.insert(tx, workspaceId, row)) return code;
  }
  throw new AppError("too_many_logins", "no free code");
}

/**
 * The result of a login, once, for the key that began it. Errors, with the names of RFC 8628: `authorization_pending`,
 * `slow_down`, `access_denied`, `expired_token`, `invalid_grant`.
 */
export async function takeResult(
  { db }: DeviceLogins,
  actor: AgentActor,
  { device_code: code }: ResultRequest,
): Promise<LoginResult> {
  const { workspaceId } = actor;
  // The transaction commits before an error is thrown: it notes the time of the question.
  const found = await db.prisma.$transaction(async (tx) => {
    const login = await logins.findForPoll(tx, workspaceId, sha256(code));
    const refusal = refusalOf(login, actor);
    if (login === null || refusal === "invalid_grant") return { refusal: "invalid_grant" } as const;
    if (refusal !== null) {
      await logins.savePoll(tx, workspaceId, login);
      return { refusal };
    }
    await logins.saveUse(tx, workspaceId, login.id);
    const { replacedId } = login;
    return { refusal, replaced: replacedId === null ? null : await findUsablePrincipal(tx, workspaceId, replacedId) };
  });
  if (found.refusal !== null) throw new AppError(found.refusal);
  return { ...(await ownerOf(db, actor)), replaced: personOf(found.replaced) };
}

type PollRefusal = "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";

function refusalOf(login: logins.PolledLogin | null, { keyFingerprint }: AgentActor): PollRefusal | null {
  if (login === null || login.isUsed || login.keyFingerprint !== keyFingerprint) return "invalid_grant";
  if (login.state === "confirmed") return null;
  if (login.state === "refused") return "access_denied";
  if (login.isOver) return "expired_token";
  return login.isTooSoon ? "slow_down" : "authorization_pending";
}

const personOf = (one: Pick<PrincipalView, "kind" | "name"> | null) =>
  one === null ? null : { kind: one.kind, name: one.name };

/** The person or service that the machine's agent works for. */
export async function ownerOf(
  db: Database,
  { workspaceId, id, name }: Pick<AgentActor, "workspaceId" | "id" | "name">,
): Promise<AgentOwnerView> {
  const owner = await findOwner(db.pool, workspaceId, id);
  if (owner === null) return { agent: name, owner: null };
  const { kind, certainty, source } = owner;
  return { agent: name, owner: { kind, name: owner.name, certainty, source } };
}

/** Includes the topics of plans, as a policy may be assigned to the owner, and approvals: a person who logged in does not answer. */
const OWNER_TOPICS = ["agents", "audit", "keys", "policies", "rules", "budgets", "approvals"] as const;

/**
 * Brings back the owner before the login of the machine's agent. Errors: `workspace_frozen` and `forbidden`, if the agent
 * would lose policies.
 */
export async function end({ db, bus }: DeviceLogins, actor: AgentActor): Promise<LogoutResult> {
  const { workspaceId, id: agentId } = actor;
  const ended = await announcedTransaction({ db, bus }, workspaceId, OWNER_TOPICS, async (tx) => {
    const done = await logOut(tx, actor, await lockAgent(tx, workspaceId, agentId));
    if (done === null) return null;
    const { principalId: principal, name, owner } = done;
    await recordAudit(tx, actor, {
      ...({ kind: "agent_logged_out", version: 1, by: actor.name, agent: agentId, principal, name } as const),
      ...{ next: owner?.id ?? null, nextName: owner?.name ?? null },
    });
    if (done.isInForce) await raiseSequence(tx, workspaceId);
    return { kind: "person" as const, name };
  });
  return { ...(await ownerOf(db, actor)), ended };
}

/** The login that waits under a code. Errors: `login_code_unknown`; `too_many_attempts` after many wrong codes. */
export async function find(world: DeviceLogins, actor: Administrator, { userCode }: ByUserCode): Promise<WaitingLogin> {
  const { workspaceId } = actor;
  const { db } = world;
  const { id: _, ...login } = await requireWaiting(world, actor, hashUserCode(world.secret, userCode));
  const owner = await findOwner(db.pool, workspaceId, login.agentId);
  const own = await findPerson(db.pool, workspaceId, { id: null, accountId: accountOf(actor) });
  return {
    ...login,
    code: shownCode(userCode),
    owner: owner && { kind: owner.kind, name: owner.name, certainty: owner.certainty, isReader: owner.id === own?.id },
    obstacle: await findObstacle(db, actor, { agentId: login.agentId, owner, ownId: own?.id ?? null }),
  };
}

const accountOf = ({ kind, id }: Administrator): string | null => (kind === "person" ? id : null);

/**
 * The login that waits under a code. One code of an account is looked up at a time, so that codes sent at once are counted.
 * Errors: `login_code_unknown`, `too_many_attempts`.
 */
async function requireWaiting(
  { db, wrongCodes, entering }: DeviceLogins,
  { workspaceId, id }: Administrator,
  code: Buffer,
): Promise<logins.WaitingRow> {
  wrongCodes.check(id);
  if (entering.has(id)) throw new AppError("too_many_attempts", undefined, { retryAfterSeconds: 1 });
  entering.add(id);
  try {
    const found = await logins.findWaiting(db.pool, workspaceId, code);
    if (found !== null) return found;
    wrongCodes.failed(id);
    throw new AppError("login_code_unknown");
  } finally {
    entering.delete(id);
  }
}

/**
 * The signed-in person becomes the proven owner of the agent. Errors: `login_code_unknown`, also when another
 * confirmation was faster; `too_many_attempts`; those of `logIn`.
 */
export async function confirm(world: DeviceLogins, actor: Administrator, input: ByUserCode): Promise<ConfirmedLogin> {
  const { workspaceId } = actor;
  return decide(world, actor, input, async (tx, { id, agentId, agentName, hostName }, agent) => {
    const { principalId, name, replaced, isInForce } = await logIn(tx, actor, agent);
    const decision = {
      state: "confirmed",
      accountId: actor.id,
      principalId,
      replacedId: replaced?.id ?? null,
    } as const;
    await logins.saveDecision(tx, workspaceId, id, decision);
    await recordAudit(tx, actor, {
      ...({ kind: "agent_login_confirmed", version: 1, by: actor.name, agent: agentId } as const),
      ...{ principal: principalId, name, host: hostName },
      ...{ former: replaced?.id ?? null, formerName: replaced?.name ?? null },
    });
    if (isInForce) await raiseSequence(tx, workspaceId);
    return { agentId, agentName, replaced: personOf(replaced) };
  });
}

/** Ends a login that its person did not begin. Errors: `login_code_unknown`, `too_many_attempts`. */
export async function refuse(world: DeviceLogins, actor: Administrator, input: ByUserCode): Promise<void> {
  const { workspaceId, id: accountId } = actor;
  await decide(world, actor, input, async (tx, { id, agentId: agent, hostName: host }) => {
    const decision = { state: "refused", accountId, principalId: null, replacedId: null } as const;
    await logins.saveDecision(tx, workspaceId, id, decision);
    await recordAudit(tx, actor, { kind: "agent_login_refused", version: 1, by: actor.name, agent, host });
  });
}

/** Runs `work` on the login, which stays locked and waiting until the transaction ends. */
async function decide<T>(
  world: DeviceLogins,
  actor: Administrator,
  { userCode }: ByUserCode,
  work: (tx: Tx, login: logins.WaitingRow, agent: LockedAgent) => Promise<T>,
): Promise<T> {
  const { workspaceId } = actor;
  const code = hashUserCode(world.secret, userCode);
  const found = await requireWaiting(world, actor, code);
  return announcedTransaction(world, workspaceId, OWNER_TOPICS, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, found.agentId);
    const login = await logins.findWaitingForUpdate(tx, workspaceId, code);
    if (login === null) throw new AppError("login_code_unknown");
    return work(tx, login, agent);
  });
}
