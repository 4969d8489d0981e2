/** From an export of metrics to the counts that a ledger can be compared with. Pure. */
import { redactText } from "@quarterdeck/hooks";
import { AppError } from "../errors/app-error.ts";
import { uuidOfText } from "../platform/ids.ts";
import { type Attributes, attributesOf, textIn } from "./attributes.ts";
import type { TelemetryClient } from "./client-records.ts";
import { type DataPoint, type MetricsRequest, RECORDS_MAX } from "./schema.ts";

export const METRIC_KINDS = ["cost", "tokens"] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];

/** One point of a series: so much since the point before, or since the start. */
export interface MetricPoint {
  readonly client: TelemetryClient;
  readonly sessionId: string;
  readonly kind: MetricKind;
  /** The same for every point of the same series. */
  readonly series: string;
  readonly isDelta: boolean;
  /** Nanoseconds since 1970, in digits. */
  readonly startNano: string;
  readonly timeNano: string;
  /** Dollars or tokens, in plain digits. */
  readonly value: string;
}

export interface ReadMetrics {
  readonly points: readonly MetricPoint[];
  /** Points of other metrics. */
  readonly ignored: number;
  readonly rejected: readonly string[];
}

interface CountedMetric {
  readonly client: TelemetryClient;
  readonly kind: MetricKind;
  /** The values of its `type` that count; all of them when absent. What is part of another kind counts once. */
  readonly types?: ReadonlySet<string>;
}

const METRICS: ReadonlyMap<string, CountedMetric> = new Map([
  ["claude_code.cost.usage", { client: "claude-code", kind: "cost" }],
  [
    "claude_code.token.usage",
    { client: "claude-code", kind: "tokens", types: new Set(["input", "output", "cacheRead", "cacheCreation"]) },
  ],
  [
    "gemini_cli.token.usage",
    { client: "gemini", kind: "tokens", types: new Set(["input", "output", "thought", "tool"]) },
  ],
]);

const DELTA: ReadonlySet<unknown> = new Set([1, "1", "AGGREGATION_TEMPORALITY_DELTA"]);
const CUMULATIVE: ReadonlySet<unknown> = new Set([2, "2", "AGGREGATION_TEMPORALITY_CUMULATIVE"]);

/** Errors: `too_many_events`. */
export function readMetrics({ resourceMetrics }: MetricsRequest, nowMs: number): ReadMetrics {
  const points: MetricPoint[] = [];
  const rejected: string[] = [];
  let count = 0;
  for (const { resource, scopeMetrics } of resourceMetrics ?? [])
    for (const { metrics } of scopeMetrics ?? [])
      for (const { name, sum } of metrics ?? []) {
        const temporality = sum?.aggregationTemporality;
        for (const point of sum?.dataPoints ?? []) {
          count += 1;
          if (count > RECORDS_MAX) throw tooMany();
          const attributes = attributesOf(resource?.attributes, point.attributes);
          const found = readPoint({ name, temporality, attributes, nowMs }, point);
          if (typeof found === "string") rejected.push(`${name}: ${found}`);
          else if (found !== null) points.push(found);
        }
      }
  return { points, rejected, ignored: count - points.length - rejected.length };
}

interface Around {
  readonly name: string;
  readonly temporality: unknown;
  readonly attributes: Attributes;
  readonly nowMs: number;
}

function readPoint({ name, temporality, attributes, nowMs }: Around, point: DataPoint): MetricPoint | string | null {
  const metric = METRICS.get(name);
  if (!metric) return null;
  if (metric.types && !metric.types.has(textIn(attributes, "type") ?? "")) return null;
  const named = textIn(attributes, "session.id");
  if (named === null) return "the point names no session.";
  // As in the ledger, whose rows it is compared with.
  const sessionId = redactText(named);
  const isDelta = DELTA.has(temporality);
  if (!isDelta && !CUMULATIVE.has(temporality)) return "the sum says neither delta nor cumulative.";
  const timeNano = String(point.timeUnixNano ?? 0);
  const timeMs = Number(BigInt(timeNano) / 1_000_000n);
  if (timeMs < nowMs - AGE_MS_MAX || timeMs > nowMs + AHEAD_MS_MAX) return "the point's time lies too far from now.";
  const value = amountOf(point);
  if (value === null) return "the point carries no amount.";
  const { client, kind } = metric;
  const startNano = String(point.startTimeUnixNano ?? 0);
  return { client, sessionId, kind, series: seriesOf(name, attributes), isDelta, startNano, timeNano, value };
}

const AGE_MS_MAX = 7 * 86_400_000;
const AHEAD_MS_MAX = 10 * 60_000;
const VALUE_MAX = 1e15;

function amountOf({ asDouble, asInt }: DataPoint): string | null {
  const stated = asInt ?? asDouble;
  const value = stated == null ? Number.NaN : Number(stated);
  if (!Number.isFinite(value) || value < 0 || value > VALUE_MAX) return null;
  return value.toFixed(12).replace(/\.?0+$/, "");
}

function seriesOf(name: string, attributes: Attributes): string {
  const sorted = [...attributes]
    .map(([key, value]) => [key, String(value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return uuidOfText(JSON.stringify([name, sorted]));
}

function tooMany(): AppError {
  const says = `An export takes at most ${RECORDS_MAX} points. Export oftener, or fewer metrics.`;
  return new AppError("too_many_events", undefined, { says });
}
