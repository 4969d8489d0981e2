/**
 * Decides a call that a policy sends to people: by a grant, by an answer it waits for, or by a ticket. Every failure is
 * thrown, and the gate denies.
 */

import { listSecrets, type Masking, redactText } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import type { AgentActor } from "../access/actor.ts";
import type { CallerWait } from "../dispatches/index.ts";
import type { Bus } from "../events/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { principalOfCall } from "../principals/index.ts";
import { indexKeyText, pgText, type SpentGrant } from "../recording/index.ts";
import { appendLapses } from "./append-lapses.ts";
import { rulesOf, UnreadableRulesError } from "./approver-rules.ts";
import { bindingOf, hasExactNumbers } from "./binding.ts";
import * as grants from "./grants-repository.ts";
import { createLeases } from "./leases.ts";
import * as approvals from "./repository.ts";
import { createRequestQueue } from "./request-queue.ts";
import { needsMore, needsOf } from "./risk-class.ts";
import { INPUT_CHARS_MAX } from "./schema.ts";
import { createWaitingCalls } from "./waiting-calls.ts";

export interface AskedCall {
  readonly actor: AgentActor;
  readonly agentName: string;
  /** The event and the lane. */
  readonly gate: string;
  readonly input: {
    readonly session_id?: unknown;
    readonly tool_name?: unknown;
    readonly tool_input?: unknown;
    readonly tool_use_id?: unknown;
    readonly cwd?: unknown;
  };
  /** Names the delivery, where the input does not name the call. */
  readonly callId: string;
  readonly reason: string;
  readonly askedBy: approvals.NewRequest["askedBy"];
  readonly risk: string;
  readonly peopleNeeded: 1 | 2;
  readonly wait: CallerWait | null;
  readonly signal: AbortSignal;
}

export type Ruling =
  | {
      readonly verdict: "allow";
      readonly reason: string;
      readonly editedInput: Record<string, unknown> | null;
      /** Spent with the record of the call, or given back. */
      readonly grant: SpentGrant;
    }
  | { readonly verdict: "deny"; readonly reason: string };

export interface ApprovalGate {
  settle(call: AskedCall): Promise<Ruling & { readonly waitedMs: number }>;
  /** True if the call, judged again, needs more by the workspace's rules than it was asked about with. */
  wantsMore(call: AskedCall, again: Pick<AskedCall, "risk" | "peopleNeeded">): Promise<boolean>;
  /**
   * Releases the grant of a call that was not allowed, or not recorded. True if the call of `dispatchId` was recorded
   * with it after all. Never throws: a grant that cannot be released becomes free when its hold expires.
   */
  release(workspaceId: string, grant: SpentGrant, dispatchId: string): Promise<boolean>;
  /** Calls that wait in this process. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** A ticket can be answered for this long. */
const TICKET_MS = 60 * 60_000;
const WAITING_MAX = 5_000;
/** Bytes of input that waiting calls of one process hold. */
const WAITING_BYTES_MAX = 256 * 1_048_576;

export function createApprovalGate(options: {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  /** Processes of this node that answer agents: each holds its share. */
  readonly workers: number;
  readonly masking: Pick<MaskingInForce, "of">;
}): ApprovalGate {
  const { pool, bus, log, workers, masking } = options;
  const leases = createLeases(pool);
  const queue = createRequestQueue({ ...options, leases });
  const calls = createWaitingCalls({ ...options, leases });
  const world: GateWorld = { pool, bus, queue, calls };
  const room = createWaitingRoom(workers);

  async function settle(call: AskedCall): Promise<Ruling & { readonly waitedMs: number }> {
    const { wait } = call;
    const refusal = refusalOf(call);
    if (refusal !== null) return { verdict: "deny", reason: refusal, waitedMs: 0 };
    const text = JSON.stringify(call.input.tool_input ?? {});
    // The whole input is held until the wait ends, not only the arguments.
    const bytes = JSON.stringify(call.input).length;
    const isWaiting = wait !== null && wait.leftMs > 0 && room.has(bytes);
    const request = requestOf(call, text, isWaiting, await masking.of(call.actor.workspaceId));
    if (!isWaiting) return { ...(await ask(world, call, request)), waitedMs: 0 };
    wait.setAside();
    const startedMs = performance.now();
    const settled = await room.whileHeld(bytes, () => ask(world, call, request));
    return { ...settled, waitedMs: performance.now() - startedMs };
  }

  async function release(workspaceId: string, grant: SpentGrant, dispatchId: string): Promise<boolean> {
    try {
      return await inWorkspace(workspaceId, () => grants.release(pool, workspaceId, grant, dispatchId));
    } catch (error) {
      log.warn({ err: error, request: grant.requestId }, "a grant could not be given back, and comes free by itself");
      return false;
    }
  }

  return {
    settle,
    release,
    async wantsMore({ actor: { workspaceId }, input, ...asked }, again) {
      const rules = await inWorkspace(workspaceId, () => rulesOf(pool, workspaceId)).catch(unreadableAsked);
      if ("kind" in rules) return true;
      const { toolName } = bindingOf(input);
      return needsMore(needsOf({ ...asked, toolName }, rules), needsOf({ ...again, toolName }, rules));
    },
    get waiting() {
      return calls.count;
    },
    close: () => calls.close(),
  };
}

/** The limits of one of `workers` processes for the memory of waiting calls. */
function createWaitingRoom(workers: number) {
  let held = 0;
  let heldBytes = 0;
  return {
    has: (bytes: number): boolean => held < WAITING_MAX / workers && heldBytes + bytes < WAITING_BYTES_MAX / workers,
    async whileHeld<T>(bytes: number, work: () => Promise<T>): Promise<T> {
      held += 1;
      heldBytes += bytes;
      try {
        return await work();
      } finally {
        held -= 1;
        heldBytes -= bytes;
      }
    },
  };
}

/** The queue of requests, and the calls that wait for answers. */
interface GateWorld {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly queue: ReturnType<typeof createRequestQueue>;
  readonly calls: ReturnType<typeof createWaitingCalls>;
}

async function ask(world: GateWorld, call: AskedCall, request: approvals.NewRequest): Promise<Ruling> {
  const { queue, calls } = world;
  const { wait, gate, signal, actor } = call;
  const { workspaceId } = actor;
  const asked = await queue.ask(workspaceId, request, gate).catch(unreadableAsked);
  if (asked.kind === "unreadable") return { verdict: "deny", reason: asked.reason };
  if (asked.kind === "too_many") return TOO_MANY;
  if (asked.kind === "granted") return rulingOf(asked.settlement, { callId: request.callId, gate, isWaited: false });
  if (!asked.isWaiting || wait === null) return ticketOf(asked.number);
  const answered = await calls.wait(workspaceId, asked.id, wait.leftMs, signal);
  return afterWait(world, call, { ...asked, callId: request.callId }, answered);
}

async function afterWait(
  world: GateWorld,
  { actor, gate, wait, signal }: AskedCall,
  { id, number, callId }: { readonly id: string; readonly number: number; readonly callId: string },
  answered: approvals.Settlement | null,
): Promise<Ruling> {
  const { workspaceId } = actor;
  // The same call, sent again, still waits: a client that disconnects does not close the request for others.
  const isLeft = answered === null && world.calls.isAwaited(workspaceId, id);
  const settlement = answered ?? (isLeft ? null : await lapse(world, workspaceId, id));
  if (settlement === null) return lapsed(number, wait?.seconds ?? 0, signal.aborted);
  if (settlement.state === "approved") await wait?.confirm();
  return rulingOf(settlement, { callId, gate, isWaited: true });
}

/** Null when the request is closed as lapsed now; else the answer that came first. */
async function lapse({ pool, bus }: GateWorld, workspaceId: string, id: string): Promise<approvals.Settlement | null> {
  const row = await inWorkspace(workspaceId, () =>
    approvals.inTransaction(pool, async (client) => {
      const found = await approvals.lapse(client, workspaceId, id);
      if (found) await appendLapses(client, workspaceId, [found]);
      return found;
    }),
  );
  if (row) {
    bus.tell(workspaceId, ["approvals"]);
    return null;
  }
  const [settled = null] = await inWorkspace(workspaceId, () => approvals.listClosed(pool, workspaceId, [id]));
  return settled;
}

/** Errors: `error` itself, unless it means that the rules cannot be read. */
function unreadableAsked(error: unknown): { readonly kind: "unreadable"; readonly reason: string } {
  if (error instanceof UnreadableRulesError) return { kind: "unreadable", reason: error.message };
  throw error;
}

/**
 * The reason to ask no person: the bound input must be exact, and a call's names are recorded, so they must not be
 * secrets.
 */
function refusalOf({ input, callId }: AskedCall): string | null {
  if (!hasExactNumbers(input.tool_input))
    return "People cannot be asked: a number in the input is too large to be exact. Send it as text.";
  const names = [input.session_id, input.tool_name, input.tool_use_id, callId];
  const holdsSecret = names.some((name) => typeof name === "string" && listSecrets(name).length > 0);
  return holdsSecret ? "People cannot be asked: the name of the session, tool or call contains a secret." : null;
}

function requestOf(call: AskedCall, text: string, isWaiting: boolean, masking: Masking): approvals.NewRequest {
  const { actor, input, wait } = call;
  const { tool_use_id: callId, cwd } = input;
  const cut = (text: string, charactersMax: number): string =>
    truncateText(pgText(masking.text(text, input)), charactersMax);
  // Pages find policies and rules by name, which own masking keeps.
  const cutName = (text: string, charactersMax: number): string =>
    truncateText(pgText(redactText(text)), charactersMax);
  const masked = pgText(redactText(masking.json(text, "tool_input", input)));
  return {
    ...bindingOf(input),
    id: uuidv7(),
    isWaiting,
    agentId: actor.id,
    agentName: indexKeyText(call.agentName),
    principal: principalOfCall(actor, input),
    callId: indexKeyText(typeof callId === "string" && callId !== "" ? callId : call.callId),
    input: truncateText(masked, INPUT_CHARS_MAX),
    isWhole: masked === text && masked.length <= INPUT_CHARS_MAX,
    cwd: cut(typeof cwd === "string" ? cwd : "", 1_000),
    reason: cut(call.reason, 4_000),
    askedBy: call.askedBy.map(({ policy, name, ...hook }) => ({
      ...hook,
      policy: cutName(policy, 200),
      name: cutName(name, 200),
    })),
    risk: cutName(call.risk, 100),
    peopleNeeded: call.peopleNeeded,
    forMs: isWaiting ? (wait?.leftMs ?? 0) : TICKET_MS,
  };
}

function rulingOf(
  { id, number, state, words, people, editedInput }: approvals.Settlement,
  claimed: Omit<SpentGrant, "requestId">,
): Ruling {
  const who = people.length > 0 ? people.join(" and ") : "somebody";
  const said = words === "" ? "." : `: ${words}`;
  if (state === "approved") {
    const edited = editedInput === null ? null : readEditedInput(editedInput);
    if (edited === "unreadable")
      return {
        verdict: "deny",
        reason: `The input that ${who} allowed for QD-${number} cannot be read, so this call is denied. Make it again.`,
      };
    const how = edited === null ? "Allowed" : "Allowed with an edited input";
    return {
      verdict: "allow",
      reason: `${how} by ${who} (QD-${number})${said}`,
      editedInput: edited,
      grant: { ...claimed, requestId: id },
    };
  }
  if (state === "denied") return { verdict: "deny", reason: `Denied by ${who} (QD-${number})${said}` };
  return { verdict: "deny", reason: `QD-${number} was not answered in time, so this call is denied.` };
}

const inputObject = z.record(z.string(), z.unknown());

/** The stored text was parsed as an object when the request was answered. */
function readEditedInput(text: string): Record<string, unknown> | "unreadable" {
  try {
    return inputObject.safeParse(JSON.parse(text)).data ?? "unreadable";
  } catch {
    return "unreadable";
  }
}

const ticketOf = (number: number): Ruling => ({
  verdict: "deny",
  reason: `Approval required: QD-${number}. After a person has allowed it in Quarterdeck, make exactly the same call again.`,
});

const lapsed = (number: number, seconds: number, isGone: boolean): Ruling => ({
  verdict: "deny",
  reason: isGone
    ? `The call ended before QD-${number} was answered, so it is denied.`
    : `QD-${number} was not answered within ${seconds} s, so this call is denied.`,
});

const TOO_MANY: Ruling = {
  verdict: "deny",
  reason: "2,000 calls of this agent are already waiting for approval, so this call is denied.",
};
