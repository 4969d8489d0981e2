/** The processes of a node by role: their start, the messages between them, and the order of their end. */
import { fork } from "node:child_process";
import cluster from "node:cluster";
import { inheritedEnvironment } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import type { ProcessKind, RoleState } from "../platform/node-state.ts";
import { createWorkerRpcHub, type WorkerRpcHub } from "../platform/worker-rpc.ts";
import { trackHandedConnections } from "./handed-connections.ts";
import { type KeptRole, keepRunning } from "./keep-running.ts";
import { ALLOCATOR, nodeArguments } from "./node-memory.ts";

export interface RolesOptions {
  readonly roles: readonly ProcessKind[];
  /** The number of gateway processes. */
  readonly gateways: number;
  /** The program of each of them. */
  readonly entries: Readonly<Partial<Record<ProcessKind, string>>>;
  /** Where the console listens and the gateway forwards to; every program's first argument. */
  readonly consoleSocket: string;
  readonly flags: readonly string[];
  /** Over our own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Settles when the database answers and is migrated. */
  readonly database: Promise<unknown>;
  readonly log: Log;
}

export interface Roles {
  readonly exchange: WorkerRpcHub;
  /** Settles when every process does its work, with what each role said. Errors: a `StartupError`. */
  readonly ready: Promise<Readonly<Partial<Record<ProcessKind, readonly unknown[]>>>>;
  state(): Readonly<Partial<Record<ProcessKind, RoleState>>>;
  /** Ends all processes, in the order of their dependencies. In milliseconds, for each of the two steps. */
  end(limitMs: number): Promise<void>;
}

/**
 * Starts every process at once, so that they load in parallel; they access the database in order. Only the scans process is
 * started when the others are ready: a start does not wait for it, and it would take processor time from them.
 */
export function startRoles(options: RolesOptions): Roles {
  const { roles, gateways, entries, consoleSocket, flags, environment, database, log } = options;
  const exchange = createWorkerRpcHub();
  const args = [consoleSocket, ...flags];
  const inherited: Record<string, string | undefined> = { ...ALLOCATOR, ...inheritedEnvironment() };
  const execArgvOf = (role: ProcessKind) => [...process.execArgv, ...nodeArguments(role, inherited.NODE_OPTIONS)];
  const forkRole = (role: ProcessKind) => () =>
    fork(entries[role] ?? "", args, {
      execArgv: execArgvOf(role),
      env: { ...inherited, NODE_ENV: "production", ...environment },
      // Next talks to developers on its standard output; the log is on the other one.
      stdio: ["ignore", flags.includes("--dev") ? "inherit" : "ignore", "inherit", "ipc"],
    });
  /** node:cluster listens and distributes connections, so none is refused while a process is replaced. */
  const forkGateway = () => {
    cluster.setupPrimary({ exec: entries.gateway ?? "", args, execArgv: execArgvOf("gateway") });
    return cluster.fork({ ...inherited, ...environment }).process;
  };
  const kept: Partial<Record<ProcessKind, KeptRole>> = {};
  const keep = (role: ProcessKind, known: Promise<unknown>) => {
    const fork = role === "gateway" ? forkGateway : forkRole(role);
    const follow = role === "gateway" ? { follow: trackHandedConnections } : {};
    const count = role === "gateway" ? gateways : 1;
    kept[role] = keepRunning({ role, count, fork, ...follow, known, isOptional: isScans(role), exchange, log });
    return kept[role].ready;
  };
  // The jobs process creates the first workspace and raises the counters, before any other process answers.
  const isReady = roles.includes("jobs") ? keep("jobs", database).then(([said]) => said) : database.then(() => null);
  isReady.catch(() => undefined); // told by `ready`
  const awaited = roles.filter((role) => !isScans(role));
  for (const role of awaited) if (role !== "jobs") keep(role, isReady).catch(() => undefined);
  const all = Promise.all(awaited.map(async (role) => [role, await kept[role]?.ready] as const));
  const ready = Promise.all([all, isReady]).then(([said]) => Object.fromEntries(said));
  let isEnding = false;
  ready.then(
    () => {
      if (roles.includes("scans") && !isEnding) keep("scans", isReady).catch(() => undefined);
    },
    () => undefined, // a start that fails for another reason never awaits it
  );

  return {
    exchange,
    ready,
    state: () => Object.fromEntries(Object.entries(kept).map(([role, one]) => [role, one.state()])),
    async end(limitMs) {
      isEnding = true;
      kept.console?.tell({ order: "drain" });
      await Promise.all([kept.gateway?.end(limitMs), kept.jobs?.end(limitMs), kept.scans?.end(limitMs)]);
      await kept.console?.end(limitMs);
    },
  };
}

const isScans = (role: ProcessKind): boolean => role === "scans";
