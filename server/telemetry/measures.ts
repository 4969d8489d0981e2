/** The metrics exported by OTLP: names of the GenAI conventions where they exist, `quarterdeck.*` for the rest. */
import type { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { ProjectedRecord } from "../recording/index.ts";
import { modelOf, type PlainSpan } from "./spans.ts";

const TOKEN_BOUNDS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];
const SECOND_BOUNDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

export interface Measures {
  measure(entry: ProjectedRecord, spans: readonly PlainSpan[], nowMs: number): void;
  close(): Promise<void>;
}

export interface MeasuresOptions {
  readonly exporter: OTLPMetricExporter;
  readonly resource: Resource;
  readonly everyMs: number;
  readonly dropped: () => number;
}

export function createMeasures({ exporter, resource, everyMs, dropped }: MeasuresOptions): Measures {
  const timing = { exportIntervalMillis: everyMs, exportTimeoutMillis: Math.min(everyMs, 10_000) };
  const provider = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter, ...timing })],
  });
  const meter = provider.getMeter("quarterdeck");
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  });
  const seconds = { unit: "s", advice: { explicitBucketBoundaries: SECOND_BOUNDS } };
  const operations = meter.createHistogram("gen_ai.client.operation.duration", seconds);
  const hooks = meter.createHistogram("quarterdeck.hook.duration", seconds);
  const lag = meter.createHistogram("quarterdeck.recorder.lag", seconds);
  const dispatches = meter.createCounter("quarterdeck.dispatches", { unit: "{dispatch}" });
  const denials = meter.createCounter("quarterdeck.denials", { unit: "{dispatch}" });
  const cost = meter.createCounter("quarterdeck.cost", { unit: "{USD}" });
  const unpriced = meter.createCounter("quarterdeck.calls.unpriced", { unit: "{call}" });
  meter
    .createObservableCounter("quarterdeck.telemetry.dropped", { unit: "{span}" })
    .addCallback((result) => result.observe(dropped()));

  return {
    measure({ record, projection }, spans, nowMs) {
      dispatches.add(1, { event: record.event, verdict: record.verdict, origin: record.origin });
      if (record.verdict === "deny") denials.add(1, { event: record.event });
      for (const { type, outcome, durationMs } of record.hooks) hooks.record(durationMs / 1_000, { type, outcome });
      if (record.origin === "dispatch") lag.record(Math.max(0, nowMs - record.receivedAt.getTime()) / 1_000);
      const { call } = projection;
      if (call) {
        const { provider, model } = modelOf(call.modelId);
        const whose = { "gen_ai.provider.name": provider, "gen_ai.request.model": model };
        if (record.cost === null) unpriced.add(1, whose);
        else cost.add(Number(record.cost.nano) / 1e9, whose);
      }
      for (const span of spans) {
        const { attributes } = span;
        if (attributes["gen_ai.operation.name"] !== "chat") continue;
        const whose = {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": attributes["gen_ai.provider.name"],
          "gen_ai.request.model": attributes["gen_ai.request.model"],
        };
        for (const type of ["input", "output"] as const) {
          const used = attributes[`gen_ai.usage.${type}_tokens`];
          if (typeof used === "number") tokens.record(used, { ...whose, "gen_ai.token.type": type });
        }
        // A call whose beginning was not seen has an unknown duration.
        if (span.endMs > span.startMs) operations.record((span.endMs - span.startMs) / 1_000, whose);
      }
    },
    close: () => provider.shutdown({ timeoutMillis: 2_000 }),
  };
}
