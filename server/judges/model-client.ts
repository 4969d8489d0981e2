/**
 * Puts hooks' questions to the connected models: finds the connection, waits for a place, reserves what the call may
 * cost, asks, asks again while that can help and there is time, and corrects the reservation.
 */
import { type ModelAnswer, type ModelClient, type ModelQuestion, ModelRefusal } from "@quarterdeck/hooks";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { dayOf } from "./account.ts";
import { askProvider, OUTPUT_TOKENS_MAX, type ProviderAnswer } from "./ask-provider.ts";
import type { Connection, Connections } from "./connections.ts";
import { ProviderFault } from "./fault.ts";
import { FULL } from "./limiter.ts";
import { costAtMost, costOfUsage } from "./price.ts";
import { type Account, correct, reserve } from "./repository.ts";
import { withRetry } from "./retry.ts";

export interface ModelClientOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly fetch: typeof fetch;
}

const QUESTION_BYTES_MAX = 1024 * 1024;
/** Of whole questions: the system prompt's and the schema's own tokens, roles and separators. */
const OVERHEAD_BYTES = 2_048;

/** The limit on the cost of some questions together, beside that of their connection. */
export interface Budget extends Account {
  /** Told that a question was not put because there was no room: in the budget itself, or under a daily cap. */
  spent(where: "budget" | "cap"): void;
}

/** The client of one workspace's hooks. Errors of `ask`: a `ModelRefusal` that says why there is no answer. */
export function createModelClient(workspaceId: string, options: ModelClientOptions, budget?: Budget): ModelClient {
  const { connections } = options;
  return {
    async ask(question, signal) {
      const found = await connections.find(workspaceId, question.model);
      if (!found)
        throw new ModelRefusal(
          "no_model",
          `no connection answers for ${JSON.stringify(question.model)}; write CONNECTION/MODEL and add the connection on the Judges page`,
        );
      if (budget) {
        const spent = (account: Account) => budget.spent(account === budget ? "budget" : "cap");
        return askConnection(workspaceId, found, question, [found.connection, budget], signal, { ...options, spent });
      }
      const { policy = "" } = question.asker.origin;
      const cap = await connections.capOf(workspaceId, policy, question.asker.name);
      return askConnection(workspaceId, found, question, [found.connection, cap], signal, options);
    },
  };
}

/** Asks one connection, counting against `accounts`. */
export async function askConnection(
  workspaceId: string,
  { connection, modelId }: { readonly connection: Connection; readonly modelId: string },
  question: ModelQuestion,
  accounts: readonly Account[],
  signal: AbortSignal,
  { pool, log, clock, connections, fetch, spent: onSpent }: ModelClientOptions & { spent?: (account: Account) => void },
): Promise<ModelAnswer> {
  const { name, provider, baseUrl } = connection;
  const untilMs = clock.monotonic() + question.timeoutMs;
  if (connection.problem !== null)
    throw new ModelRefusal(
      "no_model",
      `the stored connection ${name} cannot be read (${connection.problem}); save it again on the Judges page`,
    );
  const credential = credentialOf(connection);
  const bytes = Buffer.byteLength(question.system) + Buffer.byteLength(question.user);
  if (bytes > QUESTION_BYTES_MAX)
    throw new ModelRefusal("too_large", `the question has ${bytes} bytes; ${QUESTION_BYTES_MAX} are allowed`);
  const price = connection.prices.get(modelId) ?? null;
  const reserved = price ? costAtMost(price, bytes + OVERHEAD_BYTES, OUTPUT_TOKENS_MAX) : 0n;
  const endpoint = { name, provider, baseUrl, credential, fetch };
  const day = dayOf(clock.now());

  async function counted(): Promise<ModelAnswer> {
    checkPriced(accounts, connection, modelId);
    const spent = await reserve(pool, workspaceId, day, accounts, reserved);
    if (spent) onSpent?.(spent);
    if (spent) throw new ModelRefusal("over_budget", spentSentence(spent, connection));
    let cost: bigint | null = null;
    try {
      const answer = await withRetry({ untilMs, signal, clock }, schemaFirst(question), (asked) =>
        askProvider(endpoint, modelId, asked, signal),
      );
      cost = costOfUsage(price, answer.usage);
      return answered(answer, cost, connection);
    } catch (error) {
      // An answer that was cut off, garbled or given up may be billed all the same: its cost stays reserved.
      if (error instanceof ProviderFault && error.more.isUnbilled) cost = 0n;
      throw error;
    } finally {
      if (reserved > 0n && cost !== null && cost !== reserved)
        await correct(pool, workspaceId, day, accounts, cost - reserved).catch((error: unknown) =>
          log.warn({ err: error, connection: name }, "what a judge's call was reserved for could not be corrected"),
        );
    }
  }

  try {
    const answer = await connections.limiterOf(connection).run(signal, counted);
    if (answer === FULL) throw new ModelRefusal("overloaded", `too many questions wait for ${name} already`);
    return answer;
  } catch (error) {
    throw refusalOf(error, signal, connection, credential);
  }
}

function credentialOf({ name, provider, credential }: Connection): string | null {
  if (credential.kind === "set") return credential.text;
  if (credential.kind === "unreadable")
    throw new ModelRefusal(
      "no_credential",
      `the key of ${name} was stored under another encryption key; enter it again`,
    );
  if (provider !== "openai-compatible") throw new ModelRefusal("no_credential", `the connection ${name} has no key`);
  return null;
}

/** A cap in dollars cannot be kept over answers nobody can price: then nothing is asked. */
function checkPriced(accounts: readonly Account[], { name, prices }: Connection, modelId: string): void {
  if (prices.has(modelId) || accounts.every(({ nanoPerDay }) => nanoPerDay === null)) return;
  throw new ModelRefusal(
    "over_budget",
    `${modelId} has no price on ${name}, so a cap in dollars cannot be kept; add its price, or cap calls instead`,
  );
}

function spentSentence(spent: Account, connection: Connection): string {
  if (spent.day !== undefined) return "the budget leaves no room for another call";
  const whose = spent.account === connection.account ? `of the connection ${connection.name}` : "of this judge";
  return `the daily cap ${whose} leaves no room for another call today`;
}

/** With the wished shape, and once more without for a server that does not take such wishes. */
function schemaFirst({ system, user, schema }: ModelQuestion) {
  const plain = { system, user };
  return schema ? [{ ...plain, schema }, plain] : [plain];
}

function answered(answer: ProviderAnswer, cost: bigint | null, { name }: Connection): ModelAnswer {
  const { text, usage, model, wasRefused } = answer;
  const whole = { text, ...(usage ? { usage } : {}), costNanoUsd: cost, provider: name, model };
  if (wasRefused) throw new ModelRefusal("refused", "the model declined to answer", whole);
  return whole;
}

/** The reason for no answer. A provider may repeat what it was sent: the credential never gets further than here. */
function refusalOf(error: unknown, signal: AbortSignal, { name }: Connection, credential: string | null): ModelRefusal {
  if (error instanceof ModelRefusal) return error;
  if (signal.aborted) {
    const isLate = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    return new ModelRefusal(
      isLate ? "timeout" : "cancelled",
      isLate ? `${name} had not answered in time` : "nobody waits for the answer any more",
      { provider: name },
    );
  }
  if (!(error instanceof ProviderFault))
    return new ModelRefusal("provider_error", "the question could not be put", { provider: name });
  const plain = (text: string) => (credential === null ? text : text.replaceAll(credential, "[the key]"));
  const { reply } = error.more;
  return new ModelRefusal(error.code, plain(`${name} ${error.message}`), {
    provider: name,
    ...(reply === undefined ? {} : { text: plain(reply) }),
  });
}
