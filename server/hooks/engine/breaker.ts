/**
 * One circuit breaker per hook: after so many failures in a row the hook is not started for a while, and has failed
 * meanwhile, at once instead of after its whole timeout. Then one dispatch tries it again.
 *
 * Only where that loosens nothing: a hook that may block but whose failure is waved through (`on_error` warn or ignore) is
 * always tried, or five bad inputs would switch it off for the sixth.
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
  /** The failure that stands in for running the hook; nothing when it is to run. */
  before(tenant: string, hook: PlannedHook): HookFailure | undefined;
  /** Told how a hook that ran ended. */
  after(tenant: string, hook: PlannedHook, contract: EventContract, outcome: HookOutcome): void;
  /** The breakers of a tenant that are not closed, longest open first. */
  open(tenant: string): readonly OpenBreaker[];
  /** The next dispatch tries the hook, whatever the time. False when its breaker is not open (any more). */
  tryNow(tenant: string, id: string): boolean;
}

export interface OpenBreaker {
  /** Names the hook as long as this process lives. */
  readonly id: string;
  readonly hook: Pick<PlannedHook, "origin" | "path" | "name">;
  readonly failures: number;
  readonly lastError: string;
  /** Milliseconds since it opened first. */
  readonly openForMs: number;
  /** Milliseconds until it is tried again; 0 when the next dispatch does, or one is trying now. */
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

/** A hook that nobody dispatches any more must not be remembered for ever. */
const REMEMBERED_MAX = 5_000;
/** The failures that say nothing about the hook: it did not have its turn. */
const SILENT: ReadonlySet<HookFailure["code"]> = new Set(["cancelled", "waited_too_long", "no_sandbox", "stopping"]);
/** The failures that say a hook cannot be had. Bad output and exit codes are a hook's own way to be wrong. */
const COUNTS: ReadonlySet<HookFailure["code"]> = new Set(["timed_out", "handler", "panicked"]);

/** Breakers of a process. `onChange` is told whose hooks were left alone, or are started again. */
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
    // The longest untouched goes first.
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
        // Somebody else may try.
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

/** The same hook in the plans of several agents is one hook; two tenants' hooks never are. */
function keyOf(tenant: string, { origin, path, identity }: PlannedHook): string {
  return JSON.stringify([tenant, origin.policy ?? "", origin.revision ?? 0, path, identity]);
}
