/** One question over one connection: waits for a place, reserves the most it may cost, asks, and corrects the reservation. */
import { type HookPath, JudgeRefusal } from "@quarterdeck/hooks";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { dayOf } from "./account.ts";
import type { Connection, Connections } from "./connections.ts";
import { ProviderFault } from "./fault.ts";
import { FULL } from "./limiter.ts";
import { costAtMost, costOfUsage } from "./price.ts";
import { type Endpoint, OUTPUT_TOKENS_MAX, type ProviderAnswer } from "./provider-answer.ts";
import { type Account, correct, reserve } from "./repository.ts";

export interface AskOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly fetch: typeof fetch;
}

/** A connection, and the provider's own name of the model that is asked over it. */
export interface ConnectedModel {
  readonly connection: Connection;
  readonly modelId: string;
}

export interface ConnectionQuestion<Answer> {
  /** UTF-8 bytes of the question's texts. */
  readonly bytes: number;
  /** Errors: a `ProviderFault`, a `JudgeRefusal`, or the signal's reason. */
  put(endpoint: Endpoint): Promise<Answer>;
}

export interface PricedAnswer<Answer> {
  readonly answer: Answer;
  /** Null: the answer has no price. */
  readonly costNanoUsd: bigint | null;
}

/** The connection that a hook's `model` names. Errors: a `JudgeRefusal` with `advice`. */
export async function connectedModel(
  { connections }: Pick<AskOptions, "connections">,
  workspaceId: string,
  model: string,
  advice: string,
): Promise<ConnectedModel> {
  const found = await connections.find(workspaceId, model);
  if (found) return found;
  throw new JudgeRefusal("no_model", `no connection for ${JSON.stringify(model)}; ${advice}`);
}

/** The accounts of a hook's question: its connection's and its own. */
export async function accountsOf(
  { connections }: Pick<AskOptions, "connections">,
  workspaceId: string,
  connection: Connection,
  { origin: { policy = "" }, name }: HookPath,
): Promise<readonly Account[]> {
  return [connection, await connections.capOf(workspaceId, policy, name)];
}

type UsedTokens = Pick<ProviderAnswer, "usage" | "hourCacheWriteTokens">;

const QUESTION_BYTES_MAX = 1024 * 1024;
/** The overhead of each question: the tokens of the system prompt, the schema, roles and separators. */
const OVERHEAD_BYTES = 2_048;

/**
 * The answer, counted against `accounts`. `onSpent` is called with the account without room. Errors: a `JudgeRefusal`.
 */
export async function askConnection<Answer extends UsedTokens>(
  workspaceId: string,
  { connection, modelId }: ConnectedModel,
  question: ConnectionQuestion<Answer>,
  accounts: readonly Account[],
  signal: AbortSignal,
  { pool, log, clock, connections, fetch, onSpent }: AskOptions & { onSpent?: (account: Account) => void },
): Promise<PricedAnswer<Answer>> {
  const { name, baseUrl } = connection;
  if (connection.problem !== null)
    throw new JudgeRefusal(
      "no_model",
      `the stored connection ${name} cannot be read (${connection.problem}); save it again on the Judges page`,
    );
  const credential = credentialOf(connection);
  const { bytes } = question;
  if (bytes > QUESTION_BYTES_MAX)
    throw new JudgeRefusal("too_large", `the question has ${bytes} bytes; ${QUESTION_BYTES_MAX} are allowed`);
  const price = connection.prices.get(modelId) ?? null;
  const reserved = price ? costAtMost(price, bytes + OVERHEAD_BYTES, OUTPUT_TOKENS_MAX) : 0n;
  const day = dayOf(clock.now());

  async function counted(): Promise<PricedAnswer<Answer>> {
    checkPriced(accounts, connection, modelId);
    const spent = await reserve(pool, workspaceId, day, accounts, reserved);
    if (spent) onSpent?.(spent);
    if (spent) throw new JudgeRefusal("over_budget", spentSentence(spent, connection));
    let cost: bigint | null = null;
    try {
      const answer = await question.put({ name, baseUrl, credential, fetch });
      cost = costOfUsage(price, answer.usage, answer.hourCacheWriteTokens);
      return { answer, costNanoUsd: cost };
    } catch (error) {
      // A truncated, invalid or abandoned answer may still be billed, so its cost stays reserved.
      if (error instanceof ProviderFault) cost = costOfFault(error, connection, modelId);
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
    if (answer === FULL) throw new JudgeRefusal("overloaded", `too many questions are waiting for ${name}`);
    return answer;
  } catch (error) {
    throw refusalOf(error, signal, { connection, modelId }, credential);
  }
}

function credentialOf({ name, provider, credential }: Connection): string | null {
  if (credential.kind === "set") return credential.text;
  if (credential.kind === "unreadable")
    throw new JudgeRefusal(
      "no_credential",
      `the key of ${name} was stored under another encryption key; enter it again`,
    );
  if (provider !== "openai-compatible") throw new JudgeRefusal("no_credential", `the connection ${name} has no key`);
  return null;
}

/** A cap in dollars cannot be enforced for a model without a price, so the question is refused. */
function checkPriced(accounts: readonly Account[], { name, prices }: Connection, modelId: string): void {
  if (prices.has(modelId) || accounts.every(({ nanoPerDay }) => nanoPerDay === null)) return;
  throw new JudgeRefusal(
    "over_budget",
    `${modelId} has no price on ${name}, so a dollar limit cannot be enforced; add its price, or limit calls instead`,
  );
}

function spentSentence(spent: Account, connection: Connection): string {
  if (spent.day !== undefined) return "the budget leaves no room for another call";
  const whose = spent.account === connection.account ? `of the connection ${connection.name}` : "of this judge";
  return `the daily limit ${whose} is used up`;
}

/** The cost of a call that failed; null if it is unknown. */
function costOfFault({ more }: ProviderFault, { prices }: Connection, modelId: string): bigint | null {
  if (more.usage) return costOfUsage(prices.get(modelId) ?? null, more.usage);
  return more.isUnbilled ? 0n : null;
}

/** The reason for a missing answer. A provider may echo its request, so the credential is removed here. */
function refusalOf(
  error: unknown,
  signal: AbortSignal,
  { connection, modelId }: ConnectedModel,
  credential: string | null,
): JudgeRefusal {
  const { name } = connection;
  if (error instanceof JudgeRefusal) return error;
  if (signal.aborted) {
    const isLate = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    return new JudgeRefusal(
      isLate ? "timeout" : "cancelled",
      isLate ? `${name} did not answer in time` : "the answer is no longer needed",
      { provider: name },
    );
  }
  if (!(error instanceof ProviderFault))
    return new JudgeRefusal("provider_error", "the question could not be put", { provider: name });
  const plain = (text: string) => (credential === null ? text : text.replaceAll(credential, "[the key]"));
  const { reply, usage } = error.more;
  return new JudgeRefusal(error.code, plain(`${name} ${error.message}`), {
    provider: name,
    ...(reply === undefined ? {} : { text: plain(reply) }),
    ...(usage && { usage, costNanoUsd: costOfFault(error, connection, modelId) }),
  });
}
