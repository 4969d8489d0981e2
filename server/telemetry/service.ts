/**
 * OpenTelemetry export: runs after the commit, on a later turn of the event loop, so that no verdict waits for it. The
 * queue is limited; spans that do not fit are dropped and counted.
 */

import type { LookupFunction } from "node:net";
import { TraceFlags } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { StartupError } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import { addressRule, hostOf } from "../platform/outgoing/address-rule.ts";
import { guardedLookup } from "../platform/outgoing/guarded-lookup.ts";
import type { ProjectedRecord } from "../recording/index.ts";
import { createMeasures } from "./measures.ts";
import { createSpanner, type PlainSpan, statusOf } from "./spans.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Null when nothing is exported. */
    readonly telemetry: Telemetry | null;
  }
}

const VARIABLE = "QUARTERDECK_OTLP_ENDPOINT";
const ENTRIES_WAITING_MAX = 4_096;
const ENTRIES_PER_TURN = 64;
const SPANS_WAITING_MAX = 16_384;
const SPANS_PER_EXPORT = 512;
const EXPORT_EVERY_MS = 2_000;
const WARN_EVERY_MS = 60_000;

export interface TelemetrySettings {
  /** The base of an OTLP/HTTP collector: `/v1/traces` and `/v1/metrics` are put behind it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly timeoutMs: number;
  readonly metricsEveryMs: number;
}

export interface TelemetryState {
  /** Spans that the collector accepted, and spans lost because it refused them or they came too fast. */
  readonly sent: number;
  readonly dropped: number;
  /** The reason that the newest export failed; null when it did not. */
  readonly failure: string | null;
}

export interface Telemetry {
  /** Queues committed entries; returns at once. */
  take(entries: readonly ProjectedRecord[]): void;
  state(): TelemetryState;
  /** Sends what waits, within a few seconds. */
  close(): Promise<void>;
}

/**
 * The collector belongs to the operator, so its host may be private; a cloud's metadata address is always refused,
 * whatever name resolves to it. The exporter follows no redirect. Errors: a StartupError.
 */
function guarded(base: string): { readonly lookup: LookupFunction } {
  const host = hostOf(new URL(base));
  const rule = addressRule("none", VARIABLE).allowing(host);
  if (rule.hostRefusal(host) !== null)
    throw new StartupError(`${VARIABLE} names ${host}, which this server never asks. Name a collector.`);
  return { lookup: guardedLookup(rule, host) };
}

export function createTelemetry({ endpoint, headers, ...settings }: TelemetrySettings, log: Log): Telemetry {
  const base = endpoint.replace(/\/+$/, "");
  const common = { headers: { ...headers }, timeoutMillis: settings.timeoutMs, httpAgentOptions: guarded(base) };
  const traces = new OTLPTraceExporter({ ...common, url: `${base}/v1/traces` });
  const resource = resourceFromAttributes({ "service.name": settings.serviceName });
  const spanner = createSpanner();
  const entries: ProjectedRecord[] = [];
  const state: Counts = { sent: 0, dropped: 0, failure: null };
  const spans = createSpanQueue({ traces, resource, log, state });
  let isScheduled = false;
  const exporter = new OTLPMetricExporter({ ...common, url: `${base}/v1/metrics` });
  const dropped = () => state.dropped;
  const measures = createMeasures({ exporter, resource, everyMs: settings.metricsEveryMs, dropped });
  const timer = setInterval(() => void spans.flush(), EXPORT_EVERY_MS).unref();

  function work(max: number): void {
    const nowMs = Date.now();
    for (const entry of entries.splice(0, max)) {
      const made = spanner.spansOf(entry);
      measures.measure(entry, made, nowMs);
      spans.add(made);
    }
    if (spans.hasExport()) void spans.flush();
  }

  function schedule(): void {
    if (isScheduled || entries.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      work(ENTRIES_PER_TURN);
      schedule();
    });
  }

  return {
    take(more) {
      const room = ENTRIES_WAITING_MAX - entries.length;
      state.dropped += Math.max(0, more.length - room);
      entries.push(...(more.length > room ? more.slice(0, Math.max(0, room)) : more));
      schedule();
    },
    state: () => ({ ...state }),
    async close() {
      clearInterval(timer);
      work(entries.length);
      await spans.flush();
      await Promise.allSettled([measures.close(), traces.shutdown()]);
    },
  };
}

type Counts = { -readonly [K in keyof TelemetryState]: TelemetryState[K] };

interface SpanQueueOptions {
  readonly traces: OTLPTraceExporter;
  readonly resource: ReadableSpan["resource"];
  readonly log: Log;
  readonly state: Counts;
}

/** Spans that wait for their export. */
function createSpanQueue({ traces, resource, log, state }: SpanQueueOptions) {
  const spans: PlainSpan[] = [];
  let warnedMs = 0;
  let exporting: Promise<void> | null = null;

  /** One export at a time, until nothing waits or one fails. */
  function flush(): Promise<void> {
    exporting ??= (async () => {
      while (spans.length > 0 && (await exportSome(spans.splice(0, SPANS_PER_EXPORT))));
    })().finally(() => {
      exporting = null;
    });
    return exporting;
  }

  function exportSome(some: readonly PlainSpan[]): Promise<boolean> {
    return new Promise((resolve) => {
      traces.export(
        some.map((span) => readable(span, resource)),
        ({ code, error }) => {
          // 0 is success: the enum lives in a package that is not ours to import.
          const isTaken = code === 0;
          state.failure = isTaken ? null : truncateText(error?.message ?? "The collector did not take it.", 200);
          if (isTaken) state.sent += some.length;
          else state.dropped += some.length;
          if (!isTaken && Date.now() - warnedMs > WARN_EVERY_MS) {
            warnedMs = Date.now();
            log.warn({ failure: state.failure, dropped: state.dropped }, "spans did not reach the collector");
          }
          resolve(isTaken);
        },
      );
    });
  }

  return {
    flush,
    hasExport: () => spans.length >= SPANS_PER_EXPORT,
    add(made: readonly PlainSpan[]): void {
      const room = Math.max(0, SPANS_WAITING_MAX - spans.length);
      state.dropped += Math.max(0, made.length - room);
      spans.push(...made.slice(0, room));
    },
  };
}

const SCOPE = { name: "quarterdeck" };

function readable(span: PlainSpan, resource: ReadableSpan["resource"]): ReadableSpan {
  const contextOf = (spanId: string, traceId = span.traceId) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => contextOf(span.spanId),
    ...(span.parentId === undefined ? {} : { parentSpanContext: contextOf(span.parentId) }),
    startTime: instant(span.startMs),
    endTime: instant(span.endMs),
    duration: instant(span.endMs - span.startMs),
    status: statusOf(span),
    attributes: span.attributes,
    links: span.linkTo ? [{ context: contextOf(span.linkTo.spanId, span.linkTo.traceId) }] : [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function instant(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
