/** Tool calls by outcome: each call is under exactly one. */
import { prepareTime, type Span, type TimeModel, type TimeRow } from "@/components/charts/prepare/time-model";
import { type Tone, toneLook } from "@/components/ui/tone";
import type { OverviewPoint, OverviewSeries, OverviewSummary } from "@/server/overview/schema";

/** In the order in which bars are stacked, the first at the bottom. */
export const OUTCOMES = ["denied", "asked", "allowed", "silent", "no_rule"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_TEXTS: Readonly<Record<Outcome, { readonly label: string; readonly tone: Tone }>> = {
  denied: { label: "Denied by a rule", tone: "deny" },
  asked: { label: "Sent to a person", tone: "ask" },
  allowed: { label: "Allowed by a rule", tone: "allow" },
  silent: { label: "No rule objected", tone: "observe" },
  no_rule: { label: "No rule ran", tone: "unknown" },
};

type Counts = Pick<
  OverviewPoint & OverviewSummary,
  "gates" | "gatesWithoutOpinion" | "gatesWithoutRule" | "gatesDenied" | "gatesAsked"
>;

export function outcomesOf(counts: Counts): Record<Outcome, number> {
  const { gates, gatesWithoutOpinion, gatesWithoutRule, gatesDenied, gatesAsked } = counts;
  return {
    denied: gatesDenied,
    asked: gatesAsked,
    allowed: Math.max(0, gates - gatesWithoutOpinion - gatesDenied - gatesAsked),
    silent: gatesWithoutOpinion - gatesWithoutRule,
    no_rule: gatesWithoutRule,
  };
}

const labels = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, OUTCOME_TEXTS[outcome].label]));
const colours = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, toneLook[OUTCOME_TEXTS[outcome].tone].css]));

export function outcomeModel(series: OverviewSeries, nowMs: number, down: readonly Span[] = []): TimeModel {
  const rows = series.points.flatMap((point): TimeRow[] => {
    const values = outcomesOf(point);
    return OUTCOMES.map((outcome) => ({ at: point.at, series: outcome, value: values[outcome] }));
  });
  const { from, to, bucketMs } = series;
  const input = { rows, from, to, stepMs: bucketMs, nowMs, down, colours, labels };
  return prepareTime({ ...input, unit: "count", absent: "zero", order: OUTCOMES });
}

/** The filters of Activity that find the calls which are counted under each outcome. */
export const OUTCOME_FILTERS: Readonly<Record<Outcome, string>> = {
  denied: "outcome:denied_by_rule",
  asked: "outcome:sent_to_person",
  allowed: "outcome:allowed_by_rule",
  silent: "outcome:no_rule_objected",
  no_rule: "outcome:no_rule_ran",
};

const isOutcome = (name: string): name is Outcome => Object.hasOwn(OUTCOME_FILTERS, name);

/** The calls of a range, on Activity; those of one outcome where it is named. */
export function activityHref(range: string, outcome: string | null = null): string {
  const params = new URLSearchParams(outcome !== null && isOutcome(outcome) ? { q: OUTCOME_FILTERS[outcome] } : {});
  params.set("range", range);
  return `/activity?${params}`;
}
