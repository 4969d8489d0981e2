/**
 * The parts of a stored request that determine who may answer it. Unreadable parts fail closed: they ask for more, and
 * allow no approver.
 */
import { z } from "zod";
import type { RouteStep } from "./risk-class.ts";
import { type RiskClass, riskClass } from "./risk-class-schema.ts";
import { askingHook } from "./schema.ts";

/** A JSON null is an unreadable route; an SQL NULL means that there is no route. */
export const STORED_ROUTE = "CASE WHEN jsonb_typeof(request.route) = 'null' THEN '[]' ELSE request.route END";

const storedRoute = z
  .array(z.object({ name: z.string(), people: z.array(z.string()), fromSeconds: z.number() }))
  .min(1);
const NOBODY: readonly RouteStep[] = [{ name: "A list that cannot be read", people: [], fromSeconds: 0 }];

/** Null: everyone who may answer is asked. */
export const readRoute = (route: unknown): readonly RouteStep[] | null =>
  route === null ? null : (storedRoute.safeParse(route).data ?? NOBODY);

interface RequestColumns {
  readonly route: unknown;
  readonly riskClass: string;
  readonly peopleNeeded: number;
  readonly askedBy: unknown;
}

export const readRequest = <T extends RequestColumns>(row: T) => ({
  ...row,
  route: readRoute(row.route),
  riskClass: riskClass.safeParse(row.riskClass).data ?? ("critical" satisfies RiskClass),
  peopleNeeded: row.peopleNeeded === 1 ? 1 : 2,
  askedBy: z.array(askingHook).safeParse(row.askedBy).data ?? [],
});
