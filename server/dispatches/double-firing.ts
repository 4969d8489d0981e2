/**
 * Detects a call that a client reports twice, through two hooks or two enrolments. It is judged and recorded once, and
 * answered to each in its own format. Calls that look alike are different if they arrive through the same hook or have
 * different ids.
 */

import type { HookInput } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { Clock } from "../platform/clock.ts";
import { sha256 } from "../platform/secrets.ts";

const WINDOW_MS = 2_000;
/** Far more than two seconds of calls; the older ones go first. */
const CALLS_MAX = 10_000;

export interface Firing {
  readonly agentId: string;
  /** The hook that reported it: dialect and the client's event, as enrolled. */
  readonly hook: string;
  readonly input: HookInput;
  /** Releases this request's place while it waits for the other one, which may wait for people. */
  readonly setAside?: () => void;
}

interface Call<T> {
  readonly id: string;
  readonly hooks: Set<string>;
  readonly atMs: number;
  readonly done: Promise<T>;
}

export function createDoubleFiring<T>(clock: Clock) {
  /**
   * Each call by its id and, for hooks that send none, also without it. The key without an id holds the latest call.
   */
  const calls = createRecentCalls<T>();
  return function once({ agentId, hook, input, setAside }: Firing, run: () => Promise<T>): Promise<T> {
    if (!input.tool_name || !input.session_id) return run();
    const nowMs = clock.monotonic();
    const key = fingerprint(agentId, input);
    // Hashed, because an id may be as long as an input and is kept until the window is over.
    const id = input.tool_use_id ? sha256(JSON.stringify(input.tool_use_id)).toString("base64") : "";
    // A call with an id is matched only by its id: an earlier question without an id may be about another call.
    const first = calls.find(key + id, nowMs);
    if (first && !first.hooks.has(hook)) {
      first.hooks.add(hook);
      setAside?.();
      return first.done;
    }
    const done = run();
    const call = { id, hooks: new Set([hook]), atMs: nowMs, done };
    const names = id === "" ? [key] : [key, key + id];
    for (const name of names) calls.set(name, call);
    // A failure is not a verdict: the next delivery is judged again.
    done.catch(() => {
      for (const name of names) calls.delete(name, call);
    });
    return done;
  };
}

/**
 * The calls of the last two seconds, in two maps that take turns. One map that loses its oldest call with each new one becomes
 * slow: it keeps their places for a while, and each look at its first call passes them all.
 */
function createRecentCalls<T>() {
  let newer = new Map<string, Call<T>>();
  let older = new Map<string, Call<T>>();
  let begunMs = Number.NEGATIVE_INFINITY;

  function takeTurns(nowMs: number): void {
    if (nowMs - begunMs <= WINDOW_MS && newer.size < CALLS_MAX / 2) return;
    [older, newer] = [newer, new Map()];
    begunMs = nowMs;
  }

  return {
    find(name: string, nowMs: number): Call<T> | undefined {
      takeTurns(nowMs);
      const found = newer.get(name) ?? older.get(name);
      return found !== undefined && nowMs - found.atMs <= WINDOW_MS ? found : undefined;
    },
    set(name: string, call: Call<T>): void {
      older.delete(name);
      newer.set(name, call);
    },
    /** Forgets a call, unless its name is another one's now. */
    delete(name: string, call: Call<T>): void {
      for (const calls of [newer, older]) if (calls.get(name) === call) calls.delete(name);
    },
  };
}

function fingerprint(agentId: string, input: HookInput): string {
  const { session_id, cwd, agent_name, hook_event_name, tool_name, tool_input, tool_response, tool_error, ext } = input;
  const call = [
    agentId,
    session_id,
    cwd,
    agent_name,
    modeIn(ext),
    hook_event_name,
    tool_name,
    sorted(tool_input),
    tool_response,
    tool_error === true,
  ];
  return sha256(printExactJson(call)).toString("base64");
}

/** The mode that Claude Code, Codex and Qwen Code state. */
const modeIn = (ext: unknown): unknown =>
  typeof ext === "object" && ext !== null && "permission_mode" in ext ? ext.permission_mode : undefined;

/** Keys in one order: two hooks of a client need not agree on it. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
