/**
 * The counts of this node's processes, for Prometheus: one answer, summed. Labels come from closed lists: events,
 * verdicts, causes, error codes.
 */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { LoadClass } from "../access/load-class.ts";
import { askNodeState, PROCESS_KINDS, type RoleState } from "../platform/node-state.ts";
import { singleProcess, type WorkerRpc } from "../platform/worker-rpc.ts";
import { YIELDS_AT } from "../pressure/index.ts";
import type { StreamProgress } from "../streams/index.ts";

export interface Metrics {
  dispatched(event: string, verdict: string, durationMs: number): void;
  judgeFailed(cause: string): void;
  failed(code: string): void;
  /** A request of this class was refused because of load. */
  shed(of: LoadClass): void;
  committed(records: number, durationMs: number): void;
  /** The readings are taken on each scrape. */
  watch(read: () => Readings): void;
  text(): Promise<string>;
  /** As in `Readings`; null before `watch` is called. */
  figuresBehindMs(): Promise<number | null>;
  readonly contentType: string;
}

export interface Readings {
  readonly telemetryDropped: number;
  readonly recordsWaiting: number;
  readonly requestsUnderWay: number;
  readonly hooksRunning: number;
  readonly hooksWaiting: number;
  readonly isSandboxed: boolean;
  /** The pressure level, from 0 to 5. */
  readonly pressure: number;
  /**
   * Milliseconds since the oldest record that no figure includes was written, over all workspaces; null when unknown.
   */
  figuresBehindMs(): Promise<number | null>;
  /** Null when unknown. */
  streams(): Promise<StreamProgress | null>;
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(workerRpc: WorkerRpc = singleProcess()): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let read: (() => Readings) | null = null;
  const readNow = () => read?.() ?? null;
  const figuresBehindMs = async () => (await readNow()?.figuresBehindMs()) ?? null;
  const counts = createCounts(registry);
  addReadings(registry, readNow, figuresBehindMs);
  addRoleGauges(registry, workerRpc);
  workerRpc.answer("metrics", () => registry.getMetricsAsJSON());

  return {
    dispatched(event, verdict, durationMs) {
      counts.dispatches.labels(event, verdict).inc();
      counts.duration.observe(durationMs / 1_000);
    },
    judgeFailed: (cause) => counts.judgeFailures.labels(cause).inc(),
    failed: (code) => counts.failures.labels(code).inc(),
    shed: (of) => counts.shed.labels(of).inc(),
    committed(records, durationMs) {
      counts.batches.observe(records);
      counts.commits.observe(durationMs / 1_000);
    },
    watch: (next) => {
      read = next;
    },
    figuresBehindMs,
    async text() {
      if (workerRpc.isAlone) return registry.metrics();
      // Holds: every process of a node runs this same function.
      const all = (await workerRpc.ask("metrics")) as object[];
      return AggregatorRegistry.aggregate(all).metrics();
    },
    contentType: registry.contentType,
  };
}

/** The counters and histograms of this process. */
function createCounts(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    dispatches: counter(
      "quarterdeck_dispatches_total",
      "Dispatches answered, by event and verdict.",
      "event",
      "verdict",
    ),
    failures: counter("quarterdeck_refusals_total", "Requests of the agent API refused, by error code.", "code"),
    shed: counter(
      "quarterdeck_shed_total",
      "Requests turned away because there was too much to do, by class.",
      "class",
    ),
    judgeFailures: counter(
      "quarterdeck_judge_failures_total",
      "Questions to models that hooks got no usable answer to, by cause.",
      "cause",
    ),
    duration: histogram(
      "quarterdeck_dispatch_seconds",
      "From a dispatch's parsed input to its committed record.",
      SECONDS,
    ),
    batches: histogram(
      "quarterdeck_batch_records",
      "Records per committed transaction.",
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    ),
    commits: histogram("quarterdeck_commit_seconds", "How long a batch's transaction took.", SECONDS),
  };
}

/** Gauges that are read on each scrape. */
function addReadings(
  registry: Registry,
  readNow: () => Readings | null,
  figuresBehindMs: () => Promise<number | null>,
): void {
  const registers = [registry];
  function gauge(
    name: string,
    help: string,
    value: (now: Readings) => number,
    aggregator: "sum" | "min" | "max" = "sum",
  ): void {
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        const now = readNow();
        if (now) this.set(value(now));
      },
    });
  }
  gauge("quarterdeck_records_waiting", "Records that wait for the next transaction.", (now) => now.recordsWaiting);
  gauge("quarterdeck_requests_under_way", "Agent requests being answered.", (now) => now.requestsUnderWay);
  gauge("quarterdeck_hooks_running", "Hook commands that run now.", (now) => now.hooksRunning);
  gauge("quarterdeck_hooks_waiting", "Hook commands that wait for a place.", (now) => now.hooksWaiting);
  // Not a sum: one process without a sandbox is one too many.
  gauge("quarterdeck_telemetry_dropped", "Spans that did not reach the collector.", (now) => now.telemetryDropped);
  gauge("quarterdeck_sandboxed", "1 when hook commands run in a sandbox.", (now) => (now.isSandboxed ? 1 : 0), "min");

  gauge(
    "quarterdeck_pressure_level",
    "The pressure level, from 0 to 5: how much gives way to gates.",
    (now) => now.pressure,
    "max",
  );
  new Gauge({
    name: "quarterdeck_yielding",
    help: "1 while this kind of work gives way to gates.",
    labelNames: ["work"],
    registers,
    aggregator: "max",
    collect() {
      const level = readNow()?.pressure;
      if (level === undefined) return;
      for (const [work, at] of Object.entries(YIELDS_AT)) this.set({ work }, level >= at ? 1 : 0);
    },
  });
  new Gauge({
    name: "quarterdeck_figures_behind_seconds",
    help: "How far lists and sums are behind what was recorded.",
    registers,
    aggregator: "max",
    async collect() {
      const ms = await figuresBehindMs();
      if (ms !== null) this.set(ms / 1_000);
    },
  });
  addStreamGauges(registry, readNow);
}

function addStreamGauges(registry: Registry, readNow: () => Readings | null): void {
  function ofStreams(name: string, help: string, value: (progress: StreamProgress) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: "max",
      async collect() {
        const progress = await readNow()?.streams();
        if (progress) this.set(value(progress));
      },
    });
  }
  ofStreams(
    "quarterdeck_streams_behind_seconds",
    "Age of the oldest event that an enabled stream of the record has not sent.",
    ({ behindMs }) => behindMs / 1_000,
  );
  ofStreams(
    "quarterdeck_streams_failing",
    "Enabled streams of the record whose last request failed.",
    ({ failing }) => failing,
  );
}

/** The supervisor's figures, which every process reports with the same values. */
function addRoleGauges(registry: Registry, workerRpc: WorkerRpc): void {
  function ofRoles(name: string, help: string, value: (state: RoleState) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ["role"],
      registers: [registry],
      aggregator: "max",
      async collect() {
        const state = await askNodeState(workerRpc).catch(() => null);
        for (const role of PROCESS_KINDS) if (state?.roles[role]) this.set({ role }, value(state.roles[role]));
      },
    });
  }
  ofRoles("quarterdeck_processes_running", "Processes that do their work, by role.", ({ running }) => running);
  ofRoles(
    "quarterdeck_process_deaths",
    "Processes that died and were replaced since the start.",
    ({ deaths }) => deaths,
  );
}
