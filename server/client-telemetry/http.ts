/**
 * The door for what clients export over OTLP/HTTP: `OTEL_EXPORTER_OTLP_ENDPOINT` is the console's address with /api/otlp. It is
 * served by the console's process and writes over connections of its own, so that no gate waits for any of it.
 */
import { z } from "zod";
import type { AgentAnswer, AgentRequest, AgentRoute } from "../access/agent-api-types.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import { asAppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { createWorkerPool, tasksOf, type WorkerPool } from "../platform/worker-pool.ts";
import type { ClientSigns } from "../policies/index.ts";
import { failureAnswer, JSON_TYPE, PROTOBUF_TYPE, type Signal, successAnswer } from "./otlp-answer.ts";
import { recordCalls } from "./record-calls.ts";
import { addPoints } from "./repository.ts";
import type * as tasks from "./telemetry-tasks.ts";

export interface TelemetryRoutesOptions {
  readonly dispatcher: Pick<Dispatcher, "prepareReport">;
  readonly db: { readonly pool: Pool };
  readonly bus: Pick<Bus, "tell">;
  readonly clock: Pick<Clock, "now">;
  readonly clientSigns: Pick<ClientSigns, "note">;
}

let pool: WorkerPool | undefined;
/** Of its own: neither agents' events nor people's texts wait behind an export. */
const telemetryWorkers = (): WorkerPool => {
  pool ??= createWorkerPool({
    ...{ threads: 1, runningOfOne: 1, ofOne: 8, waiting: 64 },
    ...{ deadlineMs: 10_000, heapMiB: 256, idleMs: 60_000 },
  });
  return pool;
};
const inWorker = tasksOf<typeof tasks>(telemetryWorkers, new URL("./telemetry-tasks.ts", import.meta.url));

const LOGS: Signal = { response: "logsResponse", rejectedField: "rejectedLogRecords" };
const METRICS: Signal = { response: "metricsResponse", rejectedField: "rejectedDataPoints" };

export function telemetryRoutes(options: TelemetryRoutesOptions): readonly AgentRoute[] {
  const route = (path: string, summary: string, take: Take, signal: Signal): AgentRoute => ({
    method: "POST",
    path: `/api/otlp/v1/${path}`,
    access: "agent:report",
    takes: [PROTOBUF_TYPE, JSON_TYPE],
    encodings: ["gzip"],
    loadClass: () => "report",
    handle: (request) => answer(options, request, { take, signal }),
    docs: { summary, body: BODY, answers: ANSWERS, errors: [] },
  });
  return [
    route("logs", "OTLP log records: requests to models come into the ledger, others are passed over.", takeLogs, LOGS),
    route("metrics", "OTLP metrics: compared with the ledger, and part of no sum of it.", takeMetrics, METRICS),
  ];
}

const BODY = { [PROTOBUF_TYPE]: z.string().meta({ format: "binary" }), [JSON_TYPE]: z.looseObject({}) };
const ANSWERS = { 200: { description: "Taken, with what was rejected in its partial success." } };

interface Taken {
  readonly rejected: readonly string[];
}
type Take = (options: TelemetryRoutesOptions, request: AgentRequest, sent: tasks.Export) => Promise<Taken>;

async function answer(
  options: TelemetryRoutesOptions,
  request: AgentRequest,
  { take, signal }: { readonly take: Take; readonly signal: Signal },
): Promise<AgentAnswer> {
  const bytes = await request.body();
  const isJson = (request.header("content-type") ?? "").toLowerCase().startsWith(JSON_TYPE);
  const isCompressed = (request.header("content-encoding") ?? "").toLowerCase() === "gzip";
  try {
    const { rejected } = await take(options, request, { bytes, isCompressed, isJson, nowMs: options.clock.now() });
    return successAnswer(signal, isJson, { rejected: rejected.length, message: rejected[0] ?? "" });
  } catch (thrown) {
    return failureAnswer(asAppError(thrown), isJson);
  }
}

async function takeLogs(
  { dispatcher, clientSigns }: TelemetryRoutesOptions,
  { actor }: AgentRequest,
  sent: tasks.Export,
) {
  const { calls, clientVersion, rejected } = await inWorker(actor.id, "logs", sent);
  if (clientVersion !== null) clientSigns.note(actor, { version: clientVersion });
  const recorded = await recordCalls(dispatcher, actor, calls);
  return { rejected: [...rejected, ...recorded.rejected] };
}

let last: Promise<unknown> = Promise.resolve();

/** One after the other: each holds a connection that pages read over, for as many statements as it has points. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

async function takeMetrics({ db, bus }: TelemetryRoutesOptions, { actor }: AgentRequest, sent: tasks.Export) {
  const { points, rejected } = await inWorker(actor.id, "metrics", sent);
  if (points.length === 0) return { rejected };
  await inTurn(() => addPoints(db.pool, { workspaceId: actor.workspaceId, agentId: actor.id }, points));
  bus.tell(actor.workspaceId, ["costs"]);
  return { rejected };
}
