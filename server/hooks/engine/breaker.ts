/**
 * One circuit breaker per hook. After `failuresMax` consecutive failures, the hook is not started for `openMs`: it fails at once,
 * without its timeout. Then one dispatch tries it again.
 *
 * A breaker must not loosen a policy. A hook that may block but whose failure passes (`on_error` warn or ignore) is always tried.
 * Otherwise five bad inputs would disable it for the sixth.
 */
import type { EventContract } from "../contract/events.ts";
import { failurePolicy } from "./failure-policy.ts";
import { causeOf, failureText, type HookFailure, type HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Clock } from "./ports.ts";

export interface BreakerLimits {
  readonly failuresMax: number;
  readonly openMs: number;
}

export const BREAKER_LIMITS: BreakerLimits = { failuresMax: 5, openMs: 30_000 };

/** The calls that one dispatch makes to its tenant's breakers. */
export interface Breakers {
  /** The failure to report instead of a run; undefined if the hook is to run. */
  before(tenant: string, hook: PlannedHook): HookFailure | undefined;
  /** Records the outcome of a hook that ran. */
  after(tenant: string, hook: PlannedHook, contract: EventContract, outcome: HookOutcome): void;
  /** The breakers of a tenant that are not closed, longest open first. */
  open(tenant: string): readonly OpenBreaker[];
  /** Makes the next dispatch try the hook at any time. Returns false if its breaker is not open. */
  tryNow(tenant: string, id: string): boolean;
}

export interface OpenBreaker {
  /** Identifies the hook for the lifetime of this process. */
  readonly id: string;
  readonly hook: Pick<PlannedHook, "origin" | "path" | "name">;
  readonly failures: number;
  readonly lastError: string;
  /** Milliseconds since the breaker first opened. */
  readonly openForMs: number;
  /** Milliseconds until the next try; 0 if the next dispatch tries it, or one is trying now. */
  readonly retryInMs: number;
}

interface Breaker {
  readonly id: string;
  readonly tenant: string;
  readonly hook: PlannedHook;
  failures: number;
  lastError: string;
  openedMs: number | undefined;
  retryMs: number;
  isProbing: boolean;
}

/** The limit on breakers in memory, so that hooks out of use are dropped. */
const REMEMBERED_MAX = 5_000;
/** The failures that are not the hook's own: it never started, or was cancelled. */
const SILENT: ReadonlySet<HookFailure["code"]> = new Set(["cancelled", "waited_too_long", "no_sandbox", "stopping"]);
/** The failures that mean a hook is unavailable. A hook with bad output or a bad exit code did run. */
const COUNTS: ReadonlySet<HookFailure["code"]> = new Set(["timed_out", "handler", "panicked"]);

/** The breakers of a process. `onChange` receives the tenant of a breaker that opens or closes. */
export function createBreakers(
  clock: Pick<Clock, "now">,
  {
    limits = BREAKER_LIMITS,
    onChange = () => {},
  }: { limits?: BreakerLimits; onChange?: (tenant: string) => void } = {},
): Breakers {
  const breakers = new Map<string, Breaker>();
  let lastId = 0;

  const forget = (key: string) => breakers.delete(key);

  function fail(key: string, tenant: string, hook: PlannedHook, error: string): void {
    const breaker = breakers.get(key) ?? newBreaker(String(++lastId), tenant, hook);
    // Removes the least recently failed breaker.
    breakers.delete(key);
    breakers.set(key, breaker);
    const oldest = breakers.size > REMEMBERED_MAX ? breakers.keys().next() : undefined;
    if (oldest && !oldest.done) forget(oldest.value);
    breaker.failures += 1;
    breaker.lastError = error;
    breaker.isProbing = false;
    if (breaker.failures < limits.failuresMax) return;
    breaker.openedMs ??= clock.now();
    breaker.retryMs = clock.now() + limits.openMs;
    onChange(tenant);
  }

  return {
    before(tenant, hook) {
      if (breakers.size === 0) return undefined;
      const breaker = breakers.get(keyOf(tenant, hook));
      if (!breaker || !isOpen(breaker)) return undefined;
      const retryInMs = breaker.retryMs - clock.now();
      if (retryInMs <= 0 && !breaker.isProbing) {
        breaker.isProbing = true;
        return undefined;
      }
      const { failures, lastError } = breaker;
      return { code: "circuit_open", failures, lastError, retryMs: Math.max(0, retryInMs) };
    },
    after(tenant, hook, contract, outcome) {
      if (loosens(hook, contract)) return;
      const key = keyOf(tenant, hook);
      if (outcome.kind === "failed" && COUNTS.has(causeOf(outcome.failure))) {
        fail(key, tenant, hook, failureText(outcome.failure));
      } else if (outcome.kind === "failed" && SILENT.has(causeOf(outcome.failure))) {
        // Another dispatch may try.
        const breaker = breakers.get(key);
        if (breaker) breaker.isProbing = false;
      } else {
        const known = breakers.get(key);
        if (known) forget(key);
        if (known && isOpen(known)) onChange(tenant);
      }
    },
    open(tenant) {
      const nowMs = clock.now();
      return [...breakers.values()]
        .filter((breaker) => breaker.tenant === tenant)
        .filter(isOpen)
        .map((breaker) => openBreakerOf(breaker, nowMs))
        .sort((a, b) => b.openForMs - a.openForMs);
    },
    tryNow(tenant, id) {
      const breaker = [...breakers.values()].find((one) => one.tenant === tenant && one.id === id);
      if (!breaker || !isOpen(breaker)) return false;
      breaker.retryMs = clock.now();
      breaker.isProbing = false;
      return true;
    },
  };
}

function newBreaker(id: string, tenant: string, hook: PlannedHook): Breaker {
  return { id, tenant, hook, failures: 0, lastError: "", openedMs: undefined, retryMs: 0, isProbing: false };
}

type Opened = Breaker & { openedMs: number };

const isOpen = (breaker: Breaker): breaker is Opened => breaker.openedMs !== undefined;

function openBreakerOf({ id, hook, failures, lastError, openedMs, retryMs }: Opened, nowMs: number): OpenBreaker {
  return {
    id,
    hook: { origin: hook.origin, path: hook.path, name: hook.name },
    failures,
    lastError,
    openForMs: nowMs - openedMs,
    retryInMs: Math.max(0, retryMs - nowMs),
  };
}

function loosens(hook: PlannedHook, contract: EventContract): boolean {
  return contract.canBlock && failurePolicy(contract, hook) !== "refused";
}

/** The same hook in several agents' plans shares one breaker. Tenants never share one. */
function keyOf(tenant: string, { origin, path, identity }: PlannedHook): string {
  return JSON.stringify([tenant, origin.policy ?? "", origin.revision ?? 0, path, identity]);
}
