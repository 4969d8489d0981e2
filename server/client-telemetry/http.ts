/**
 * The endpoint for clients' OTLP/HTTP exports: `OTEL_EXPORTER_OTLP_ENDPOINT` is the console's address with /api/otlp.
 * The console's process serves it with its own database connections, so that no gate waits for it.
 */
import { z } from "zod";
import type { AgentAnswer, AgentRequest, AgentRoute } from "../access/agent-api-types.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import { asAppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import { createWorkerPool, tasksOf, type WorkerPool } from "../platform/worker-pool.ts";
import type { ClientSigns } from "../policies/index.ts";
import type { StatedPeople } from "../principals/index.ts";
import { failureAnswer, JSON_TYPE, PROTOBUF_TYPE, successAnswer } from "./otlp-answer.ts";
import { recordCalls } from "./record-calls.ts";
import type * as tasks from "./telemetry-tasks.ts";

export interface TelemetryRoutesOptions {
  readonly dispatcher: Pick<Dispatcher, "prepareReport">;
  readonly clock: Pick<Clock, "now">;
  readonly clientSigns: Pick<ClientSigns, "note">;
  readonly statedPeople: StatedPeople;
}

let pool: WorkerPool | undefined;
/** A separate pool, so that agents' events and people's texts do not wait behind an export. */
const telemetryWorkers = (): WorkerPool => {
  pool ??= createWorkerPool({
    ...{ threads: 1, runningOfOne: 1, ofOne: 8, waiting: 64 },
    ...{ deadlineMs: 10_000, heapMiB: 256, idleMs: 60_000 },
  });
  return pool;
};
const inWorker = tasksOf<typeof tasks>(telemetryWorkers, new URL("./telemetry-tasks.ts", import.meta.url));

type Handle = (request: AgentRequest) => Promise<AgentAnswer>;

export function telemetryRoutes(options: TelemetryRoutesOptions): readonly AgentRoute[] {
  const route = (path: string, summary: string, description: string, handle: Handle): AgentRoute => ({
    method: "POST",
    path: `/api/otlp/v1/${path}`,
    access: "agent:report",
    takes: [PROTOBUF_TYPE, JSON_TYPE],
    encodings: ["gzip"],
    loadClass: () => "report",
    handle,
    docs: { summary, body: BODY, answers: { 200: { description } }, errors: [] },
  });
  return [
    route(
      "logs",
      "OTLP log records: requests to models come into the ledger, others are passed over.",
      "Taken, with what was rejected in its partial success.",
      (request) => takeLogs(options, request),
    ),
    route("metrics", "OTLP metrics: accepted and not stored.", "Accepted. Nothing is stored.", acceptMetrics),
  ];
}

const BODY = { [PROTOBUF_TYPE]: z.string().meta({ format: "binary" }), [JSON_TYPE]: z.looseObject({}) };

async function takeLogs(
  { dispatcher, statedPeople, clock, clientSigns }: TelemetryRoutesOptions,
  request: AgentRequest,
): Promise<AgentAnswer> {
  const { actor } = request;
  const bytes = await request.body();
  const isJson = isJsonBody(request);
  const isCompressed = (request.header("content-encoding") ?? "").toLowerCase() === "gzip";
  try {
    const sent = { bytes, isCompressed, isJson, nowMs: clock.now() };
    const { calls, clientVersion, rejected } = await inWorker(actor.id, "logs", sent);
    if (clientVersion !== null) clientSigns.note(actor, { version: clientVersion });
    const recorded = await recordCalls({ dispatcher, people: statedPeople }, actor, calls);
    return successAnswer(isJson, [...rejected, ...recorded.rejected]);
  } catch (thrown) {
    return failureAnswer(asAppError(thrown), isJson);
  }
}

/** A client that exports metrics along with its logs must not fail. The body is not decoded. */
async function acceptMetrics(request: AgentRequest): Promise<AgentAnswer> {
  await request.body();
  return successAnswer(isJsonBody(request), []);
}

const isJsonBody = (request: AgentRequest): boolean =>
  (request.header("content-type") ?? "").toLowerCase().startsWith(JSON_TYPE);
