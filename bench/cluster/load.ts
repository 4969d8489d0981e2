/**
 * Gates at a given rate through all gateways in turn, half of them for a tool that the policy denies. Every call is repeated under its
 * idempotency key, at the next gateway each time, until it is acknowledged, and is then in the ledger.
 */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { TOOLS } from "./installation.ts";
import { newSilence, type Silence } from "./silence.ts";

export interface Acknowledged {
  readonly dispatchId: string;
  readonly tool: string;
}

export interface LoadResult {
  /** By idempotency key, which is the call's `tool_use_id` too. */
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  /** Keys whose answers named two dispatches. */
  readonly contradicted: readonly string[];
  /** Tries that were not acknowledged, by what they ended with: a status, or the connection's error. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Calls for the denied tool that were answered with anything but a block. */
  readonly allowedAgainstPolicy: number;
  /** Calls for the other tool that were blocked: strict, but not what the policy says. */
  readonly blockedAgainstPolicy: number;
  /** Longest times without an acknowledgement: of each gateway, and of all together. */
  readonly silenceMs: { readonly byGateway: readonly number[]; readonly all: number };
}

export interface LoadOptions {
  readonly gatewayUrls: readonly string[];
  readonly key: string;
  readonly perSecond: number;
}

const TICK_MS = 10;
const CONNECTIONS = 64;
const TRY_MS_MAX = 15_000;
const RETRY_MS = 250;
const RETRY_MS_MAX = 2_000;
const GIVE_UP_MS = 120_000;
/** Asked a second time though it was answered: an agent whose network swallowed the answer. */
const TWICE_EVERY = 50;

/** Keeps it up until `until` settles, then waits for what is under way. Errors: those of `until`, and a call that nobody answers. */
export async function runLoad(options: LoadOptions, until: Promise<unknown>): Promise<LoadResult> {
  const { gatewayUrls, perSecond } = options;
  const run = startCalls(options);
  const startMs = performance.now();
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined); // thrown below
  for (let due = 0; !isOver && failure === undefined; await delay(TICK_MS)) {
    for (const wanted = ((performance.now() - startMs) * perSecond) / 1_000; due < wanted; due += 1) {
      const call = run
        .call(
          due % gatewayUrls.length,
          due % (2 * gatewayUrls.length) < gatewayUrls.length ? TOOLS.denied : TOOLS.allowed,
        )
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => underWay.delete(call));
      underWay.add(call);
    }
  }
  await Promise.all(underWay);
  const result = run.close();
  await over;
  if (failure !== undefined) throw failure;
  return result;
}

function startCalls({ gatewayUrls, key }: LoadOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const acknowledged = new Map<string, Acknowledged>();
  const contradicted: string[] = [];
  const refusals = new Map<string, number>();
  const byGateway = gatewayUrls.map(newSilence);
  const all: Silence = newSilence();
  const against = { allowed: 0, blocked: 0 };
  let calls = 0;

  function acknowledge(name: string, tool: string, { dispatchId, isBlocked }: Verdict): void {
    const known = acknowledged.get(name);
    if (known !== undefined && known.dispatchId !== dispatchId) contradicted.push(name);
    acknowledged.set(name, { dispatchId, tool });
    if (tool === TOOLS.denied && !isBlocked) against.allowed += 1;
    if (tool === TOOLS.allowed && isBlocked) against.blocked += 1;
  }

  async function untilAcknowledged(name: string, tool: string, first: number): Promise<void> {
    const giveUpMs = performance.now() + GIVE_UP_MS;
    for (let attempt = 0; ; attempt += 1) {
      const gateway = (first + attempt) % gatewayUrls.length;
      const answer = await ask(agent, gatewayUrls[gateway] ?? "", key, name, tool).catch(String);
      if (typeof answer !== "string") {
        byGateway[gateway]?.end();
        all.end();
        return acknowledge(name, tool, answer);
      }
      refusals.set(answer, (refusals.get(answer) ?? 0) + 1);
      if (performance.now() > giveUpMs)
        throw new Error(`nobody answered a call for ${GIVE_UP_MS / 1_000} s: ${answer}`);
      await delay(Math.min(RETRY_MS * 2 ** attempt, RETRY_MS_MAX));
    }
  }

  return {
    async call(gateway: number, tool: string): Promise<void> {
      const name = randomUUID();
      calls += 1;
      const isTwice = calls % TWICE_EVERY === 0;
      await untilAcknowledged(name, tool, gateway);
      if (isTwice) await untilAcknowledged(name, tool, gateway + 1);
    },
    close(): LoadResult {
      agent.destroy();
      const silenceMs = { byGateway: byGateway.map((one) => one.longestMs()), all: all.longestMs() };
      const allowedAgainstPolicy = against.allowed;
      return {
        acknowledged,
        contradicted,
        refusals,
        allowedAgainstPolicy,
        blockedAgainstPolicy: against.blocked,
        silenceMs,
      };
    },
  };
}

interface Verdict {
  readonly dispatchId: string;
  readonly isBlocked: boolean;
}

/** The verdict, or in words what came instead of one. Errors: the connection's. */
function ask(agent: Agent, url: string, key: string, name: string, tool: string): Promise<Verdict | string> {
  const body = JSON.stringify({
    session_id: `drill ${name.slice(0, 1)}`,
    hook_event_name: "pre_tool_use",
    tool_name: tool,
    tool_use_id: name,
    tool_input: { path: "README.md" },
  });
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "idempotency-key": name,
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/v1/hooks/pre_tool_use?lane=default`,
      { method: "POST", agent, headers, timeout: TRY_MS_MAX },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.once("error", reject);
        response.once("end", () => {
          const dispatchId = response.headers["quarterdeck-dispatch-id"];
          if (response.statusCode !== 200 || typeof dispatchId !== "string")
            return resolve(`${response.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`.trim());
          resolve({ dispatchId, isBlocked: isBlock(text) });
        });
      },
    );
    asked.once("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.once("error", reject);
    asked.end(body);
  });
}

function isBlock(answer: string): boolean {
  try {
    return (JSON.parse(answer) as { decision?: unknown }).decision === "block";
  } catch {
    return false;
  }
}
