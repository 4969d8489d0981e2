/** Puts the questions of model hooks to the connected models; asks again while that can help and there is time. */
import { JudgeRefusal, type ModelAnswer, type ModelClient, type ModelQuestion } from "@quarterdeck/hooks";
import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import { parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { type AskOptions, accountsOf, askConnection, type ConnectedModel, connectedModel } from "./ask-connection.ts";
import { type Attempt, withFallback } from "./fallback.ts";
import type { Endpoint, ProviderAnswer } from "./provider-answer.ts";
import type { Account } from "./repository.ts";
import { withRetry } from "./retry.ts";
import { EVALUATOR_PROVIDER } from "./schema.ts";
import { questionKey, type VerdictCache } from "./verdict-cache.ts";

/** A limit on the total cost of a set of questions, in addition to their connection's. */
export interface Budget extends Account {
  /** Called after a question was refused for lack of budget: the set's own, or a daily cap. */
  spent(where: "budget" | "cap"): void;
  /** True: an equal question gets the verdict that is kept, at no cost. */
  readonly reusesVerdicts?: boolean;
}

export interface ClientOptions extends AskOptions {
  readonly cache: VerdictCache;
}

/** The client of one workspace's hooks. Errors of `ask`: a `JudgeRefusal` with the reason for the missing answer. */
export function createModelClient(workspaceId: string, options: ClientOptions, budget?: Budget): ModelClient {
  return {
    async ask(question, signal) {
      const advice = "write CONNECTION/MODEL and add the connection on the Judges page";
      const found = await connectedModel(options, workspaceId, question.model, advice);
      if (budget) {
        const onSpent = (account: Account) => budget.spent(account === budget ? "budget" : "cap");
        const ask = () =>
          askModel(workspaceId, found, question, [found.connection, budget], signal, { ...options, onSpent });
        return budget.reusesVerdicts === true ? askReusing(workspaceId, question, options, ask) : ask();
      }
      await refuseHalted(workspaceId, question, options);
      return askReusing(workspaceId, question, options, () => askJudge(workspaceId, found, question, signal, options));
    },
  };
}

/** A halted judge gives no verdict, not even a kept one: its hook fails, and the hook's policy decides. */
async function refuseHalted(
  workspaceId: string,
  { label }: ModelQuestion,
  { connections }: ClientOptions,
): Promise<void> {
  const named = label === undefined ? null : parseJudgeLabel(label);
  if (named === null || !(await connections.isHalted(workspaceId, named.name))) return;
  throw new JudgeRefusal("halted", `the judge ${named.name} is halted; resume it on the page of its prompt`);
}

/** The kept verdict on the same question, else the answer of `ask`. A kept verdict costs nothing and counts against no cap. */
async function askReusing(
  workspaceId: string,
  question: ModelQuestion,
  { cache, connections }: ClientOptions,
  ask: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { origin, name } = question.asker;
  const [{ reusesVerdicts }, version] = await Promise.all([
    connections.capOf(workspaceId, origin.policy ?? "", name),
    connections.versionOf(workspaceId),
  ]);
  const key = reusesVerdicts ? questionKey(question, { workspaceId, version }) : null;
  if (key === null) return ask();
  const kept = cache.find(key);
  if (kept) return { ...kept, costNanoUsd: 0n, provider: VERDICT_CACHE };
  const answer = await ask();
  const { text, model } = answer;
  return { ...answer, keep: (isAllow) => cache.keep(key, { text, model }, isAllow) };
}

/** Asks over the judge's connection, and over its fallback when that does not answer. */
async function askJudge(
  workspaceId: string,
  found: ConnectedModel,
  question: ModelQuestion,
  signal: AbortSignal,
  options: AskOptions,
): Promise<ModelAnswer> {
  const { fallback, name } = found.connection;
  const askOver = async (connected: ConnectedModel, attempt: Attempt) => {
    const accounts = await accountsOf(options, workspaceId, connected.connection, question.asker);
    const limited = { ...question, timeoutMs: attempt.timeoutMs };
    return askModel(workspaceId, connected, limited, accounts, attempt.signal, options);
  };
  const { timeoutMs } = question;
  if (fallback === null) return askOver(found, { timeoutMs, signal });
  return withFallback(
    { timeoutMs, signal, clock: options.clock, first: name },
    (attempt) => askOver(found, attempt),
    async (attempt) => askOver(await connectedModel(options, workspaceId, fallback, "edit the fallback"), attempt),
  );
}

/** Asks a model over one connection, counting against `accounts`. */
export async function askModel(
  workspaceId: string,
  found: ConnectedModel,
  question: ModelQuestion,
  accounts: readonly Account[],
  signal: AbortSignal,
  options: AskOptions & { onSpent?: (account: Account) => void },
): Promise<ModelAnswer> {
  const { connection, modelId } = found;
  const { name, provider } = connection;
  const { clock } = options;
  if (provider === EVALUATOR_PROVIDER)
    throw new JudgeRefusal("no_model", `the connection ${name} has evaluators and no models; ask another connection`);
  const untilMs = clock.monotonic() + question.timeoutMs;
  const put = {
    bytes: Buffer.byteLength(question.system) + Buffer.byteLength(question.user),
    put: (endpoint: Endpoint) =>
      withRetry({ untilMs, signal, clock }, schemaFirst(question), async (asked) => {
        const { askProvider } = await import("./ask-provider.ts");
        return askProvider({ ...endpoint, provider }, modelId, asked, signal);
      }),
  };
  const { answer, costNanoUsd } = await askConnection(workspaceId, found, put, accounts, signal, options);
  return answered(answer, costNanoUsd, name);
}

/** With the wished shape, and once more without for a server that does not take such wishes. */
function schemaFirst({ system, user, schema }: ModelQuestion) {
  const plain = { system, user };
  return schema ? [{ ...plain, schema }, plain] : [plain];
}

function answered(answer: ProviderAnswer, cost: bigint | null, name: string): ModelAnswer {
  const { text, usage, model, wasRefused } = answer;
  const whole = { text, ...(usage ? { usage } : {}), costNanoUsd: cost, provider: name, model };
  if (wasRefused) throw new JudgeRefusal("refused", "the model declined to answer", whole);
  return whole;
}
