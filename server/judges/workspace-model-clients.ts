/** Everything that asks models in this process: one transport, one set of limits, a client for each workspace. */

import { type EvaluatorClient, type JudgeFacts, JudgeRefusal, type ModelClient } from "@quarterdeck/hooks";
import type { ResolvedEvaluator } from "@quarterdeck/hooks/contract/resolved-evaluator";
import { timeLimit } from "@quarterdeck/hooks/contract/time-limit";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type AddressRule, addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { type Connection, createConnections } from "./connections.ts";
import { ask as askEvaluatorOver, createEvaluatorClient } from "./evaluator-client.ts";
import { maskedEvaluators, maskedModels } from "./masked-clients.ts";
import { askModel, type Budget, createModelClient } from "./model-client.ts";
import { EVALUATOR_PROVIDER, type ModelPrice, type TestConnection, type Tested } from "./schema.ts";
import { createTransport } from "./transport.ts";
import { createVerdictCache } from "./verdict-cache.ts";

export interface Models {
  /** With a budget: for questions outside of any policy, which count against it and against their connection. */
  clientOf(workspaceId: string, budget?: Budget): ModelClient;
  /** The evaluators that the policies of a workspace define. */
  evaluatorsOf(workspaceId: string, budget?: Budget): EvaluatorClient;
  /** The price of a model on the connection that a hook's `model` names; null when no connection answers for it. */
  priceOf(
    workspaceId: string,
    model: string,
  ): Promise<{ readonly connection: string; readonly price: ModelPrice | null } | null>;
  /** Asks for one word. Errors: `connection_not_found`. */
  test(workspaceId: string, connection: TestConnection): Promise<Tested>;
  readonly addresses: AddressRule;
  /** The key that seals credentials. */
  readonly credentialKey: Buffer;
  close(): void;
}

export interface ModelsOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Clock;
  readonly credentialKey: Buffer;
  /** The value of QUARTERDECK_ALLOW_PRIVATE_MODELS; undefined if it is not set. */
  readonly privateModels: string | undefined;
  readonly masking: Pick<MaskingInForce, "of">;
  /** Processes of this node that ask; each gets its share of the places. */
  readonly workers?: number;
}

const TEST_MS = 20_000;
const TEST_QUESTION = {
  system: "You are being tried out. Answer with the single word ok.",
  user: "Answer ok.",
  asker: { origin: {}, path: "", name: "test" },
  timeoutMs: TEST_MS,
};
const TEST_STATE = { statement: "Two and two are four." };
const TEST_EVALUATOR: ResolvedEvaluator = {
  provider: EVALUATOR_PROVIDER,
  model: "",
  type: "boolean",
  instructions: "Is the statement true?",
  timeout_ms: TEST_MS,
};
const REPLY_SHOWN_MAX = 300;

/** Errors: a StartupError when `privateModels` is not a list of hosts and ranges. */
export function createModelClients({
  db,
  bus,
  log,
  clock,
  credentialKey,
  privateModels,
  masking,
  workers = 1,
}: ModelsOptions): Models {
  const addresses = addressRule(privateModels ?? "none", VARIABLES.models);
  const transport = createTransport(addresses);
  const connections = createConnections({ db, bus, key: credentialKey, processes: workers });
  const cache = createVerdictCache(() => clock.monotonic());
  const world = { cache, pool: db.pool, log, clock, connections, fetch: transport.fetch };

  function tested(workspaceId: string, connection: Connection, modelId: string): Promise<JudgeFacts> {
    const found = { connection, modelId };
    const signal = timeLimit(TEST_MS);
    if (connection.provider !== EVALUATOR_PROVIDER)
      return askModel(workspaceId, found, { ...TEST_QUESTION, model: modelId }, [connection], signal, world);
    const asking = { evaluator: { ...TEST_EVALUATOR, model: modelId }, state: TEST_STATE, accounts: [connection] };
    return askEvaluatorOver(workspaceId, found, asking, signal, world).then((answer) => ({
      ...answer,
      text: `The statement is true with the probability ${answer.probability}.`,
    }));
  }

  return {
    addresses,
    credentialKey,
    clientOf: (workspaceId, budget) =>
      maskedModels(createModelClient(workspaceId, world, budget), () => masking.of(workspaceId)),
    evaluatorsOf: (workspaceId, budget) =>
      maskedEvaluators(createEvaluatorClient(workspaceId, world, budget), () => masking.of(workspaceId)),
    async priceOf(workspaceId, model) {
      const found = await connections.find(workspaceId, model);
      return found && { connection: found.connection.name, price: found.connection.prices.get(found.modelId) ?? null };
    },
    async test(workspaceId, { id, model }) {
      const connection = await connections.findById(workspaceId, id);
      if (!connection) throw new AppError("connection_not_found", id);
      const startedMs = clock.monotonic();
      const spentMs = () => Math.round(clock.monotonic() - startedMs);
      try {
        const answer = await tested(workspaceId, connection, model);
        return testedOf(null, answer, spentMs());
      } catch (error) {
        if (error instanceof JudgeRefusal) return testedOf(error, error.spent, spentMs());
        throw error;
      } finally {
        bus.tell(workspaceId, ["judges"]);
      }
    },
    close: () => transport.close(),
  };
}

function testedOf(refusal: JudgeRefusal | null, answer: JudgeFacts, latencyMs: number): Tested {
  const { text, usage, costNanoUsd, model } = answer;
  const reply = text?.trim() ?? null;
  const isEmpty = refusal === null && reply === "";
  return {
    ok: refusal === null && !isEmpty,
    says: refusal ? sentence(refusal.message) : isEmpty ? "Empty answer." : "Connection works.",
    cause: refusal?.code ?? (isEmpty ? "empty" : null),
    answeredBy: model ?? null,
    reply: reply === null ? null : truncateText(reply, REPLY_SHOWN_MAX),
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    nano: costNanoUsd ?? null,
    latencyMs,
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
