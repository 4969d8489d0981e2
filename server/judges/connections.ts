/** The connections, caps and halted judges of a workspace as calls need them: cached until one changes. */
import { LRUCache } from "lru-cache";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import { judgeAccount } from "./account.ts";
import { opened } from "./credential.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import * as judges from "./repository.ts";
import type { ModelPrice, Provider } from "./schema.ts";
import { connectionProblem, shownProvider } from "./stored-connection.ts";
import { priceOf } from "./stored-price.ts";

export interface Connection extends judges.Account {
  readonly name: string;
  readonly provider: Provider;
  readonly baseUrl: string;
  /** `unreadable`: stored, but sealed with another key. */
  readonly credential: { readonly kind: "none" | "unreadable" } | { readonly kind: "set"; readonly text: string };
  readonly prices: ReadonlyMap<string, ModelPrice>;
  /** CONNECTION/MODEL that is asked when this one does not answer. */
  readonly fallback: string | null;
  /** Set where the stored connection cannot be read: nothing is asked over it. */
  readonly problem: string | null;
}

/** A judge's own account, and whether its verdicts are used again. */
export interface JudgeAccount extends judges.Account {
  readonly reusesVerdicts: boolean;
}

export interface Connections {
  /**
   * The connection that a hook's `model` names, and the provider's own name of the model; null without such a
   * connection.
   */
  find(
    workspaceId: string,
    model: string,
  ): Promise<{ readonly connection: Connection; readonly modelId: string } | null>;
  findById(workspaceId: string, id: string): Promise<Connection | null>;
  /** The judge's own account; its caps are null by default. */
  capOf(workspaceId: string, policy: string, hook: string): Promise<JudgeAccount>;
  /** True if the judge prompt with this name is halted: its hooks fail. */
  isHalted(workspaceId: string, prompt: string): Promise<boolean>;
  /** Differs after every change of a connection or a cap of the workspace. */
  versionOf(workspaceId: string): Promise<string>;
  /** The limiter of a connection, which lives as long as this process. */
  limiterOf(connection: Connection): Limiter;
}

interface Loaded {
  readonly connections: readonly Connection[];
  readonly caps: ReadonlyMap<string, JudgeAccount>;
  /** Names of halted judge prompts. */
  readonly halted: ReadonlySet<string>;
  readonly version: string;
}

const WORKSPACES_MAX = 1_000;
/** A change arrives over the bus at once, and nothing is recalled while the bus is silent; this is a second bound. */
const TRUST_MS = 30_000;
const RUNNING_MAX = 8;
const WAITING_MAX = 64;

export interface ConnectionsOptions {
  readonly db: Database;
  readonly bus: Bus;
  /** The key that seals credentials. */
  readonly key: Buffer;
  /** With several processes in this node each takes its share of the places. */
  readonly processes?: number;
}

export function createConnections({ db, bus, key, processes = 1 }: ConnectionsOptions): Connections {
  const byWorkspace = new LRUCache<string, Promise<Loaded>>({ max: WORKSPACES_MAX, ttl: TRUST_MS });
  const limiters = new LRUCache<string, Limiter>({ max: WORKSPACES_MAX * 4 });
  bus.subscribe((workspaceId, topics) => {
    if (!topics.includes("judges")) return;
    if (workspaceId === null) byWorkspace.clear();
    else byWorkspace.delete(workspaceId);
  });

  function loaded(workspaceId: string): Promise<Loaded> {
    const known = bus.isCurrent() ? byWorkspace.get(workspaceId) : undefined;
    if (known) return known;
    const loading = inWorkspace(workspaceId, () => load(db, workspaceId, key));
    byWorkspace.set(workspaceId, loading);
    loading.catch(() => {
      if (byWorkspace.peek(workspaceId) === loading) byWorkspace.delete(workspaceId);
    });
    return loading;
  }

  return {
    async find(workspaceId, model) {
      const slash = model.indexOf("/");
      const [prefix, modelId] = [model.slice(0, slash), model.slice(slash + 1).trim()];
      if (slash < 1 || modelId === "") return null;
      const { connections } = await loaded(workspaceId);
      const connection =
        connections.find(({ name }) => name === prefix) ?? connections.find(({ provider }) => provider === prefix);
      return connection ? { connection, modelId } : null;
    },
    async findById(workspaceId, id) {
      return (await loaded(workspaceId)).connections.find(({ account }) => account === id) ?? null;
    },
    async capOf(workspaceId, policy, hook) {
      const account = judgeAccount(policy, hook);
      return (
        (await loaded(workspaceId)).caps.get(account) ?? {
          ...{ account, callsPerDay: null, nanoPerDay: null },
          reusesVerdicts: true,
        }
      );
    },
    isHalted: async (workspaceId, prompt) => (await loaded(workspaceId)).halted.has(prompt),
    versionOf: async (workspaceId) => (await loaded(workspaceId)).version,
    limiterOf({ account }) {
      const known = limiters.get(account);
      if (known) return known;
      const made = createLimiter({
        running: Math.ceil(RUNNING_MAX / processes),
        waiting: Math.ceil(WAITING_MAX / processes),
      });
      limiters.set(account, made);
      return made;
    },
  };
}

async function load(db: Database, workspaceId: string, key: Buffer): Promise<Loaded> {
  const [rows, caps, halted] = await Promise.all([
    judges.list(db.prisma, workspaceId),
    judges.listCaps(db.prisma, workspaceId),
    judges.listHalted(db.pool, workspaceId),
  ]);
  return {
    connections: rows.map((row) => {
      const { id, name, provider, baseUrl, credential, prices, callsPerDay, nanoPerDay, fallback } = row;
      const problem = connectionProblem(row);
      const read = {
        ...{ account: id, name, callsPerDay, nanoPerDay, baseUrl, problem, fallback },
        provider: shownProvider(provider),
        prices: new Map(prices.map((price) => [price.model, priceOf(price)])),
      };
      // Nothing is asked over it, so its key stays sealed.
      if (problem !== null) return { ...read, credential: { kind: "unreadable" } };
      return { ...read, credential: credentialOf(key, { workspaceId, connectionId: id, baseUrl }, credential) };
    }),
    caps: new Map(
      caps.map(({ policy, hook, callsPerDay, nanoPerDay, reusesVerdicts }) => {
        const account = judgeAccount(policy, hook);
        return [account, { account, callsPerDay, nanoPerDay, reusesVerdicts }];
      }),
    ),
    halted: new Set(halted),
    version: versionOf(rows, caps),
  };
}

/** Each save of a connection changes its time; a cap has no time. */
function versionOf(
  connections: readonly { readonly id: string; readonly updatedAt: Date }[],
  caps: readonly judges.CapRow[],
): string {
  const saved = connections.map(({ id, updatedAt }) => [id, updatedAt.getTime()]);
  const limits = caps.map(({ policy, hook, callsPerDay, nanoPerDay, reusesVerdicts }) =>
    [policy, hook, callsPerDay, nanoPerDay, reusesVerdicts].map(String),
  );
  return sha256(JSON.stringify([saved, limits.sort()])).toString("hex");
}

function credentialOf(
  key: Buffer,
  owner: Parameters<typeof opened>[1],
  bytes: Uint8Array | null,
): Connection["credential"] {
  if (bytes === null) return { kind: "none" };
  const text = opened(key, owner, bytes);
  return text === null ? { kind: "unreadable" } : { kind: "set", text };
}
