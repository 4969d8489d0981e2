/** The risk classes of calls. */
import { z } from "zod";

/** The least risk first. */
export const RISK_CLASSES = ["low", "medium", "high", "critical"] as const;
export const riskClass = z.enum(RISK_CLASSES);
export type RiskClass = z.infer<typeof riskClass>;

/** True if a class is as grave as another one, or graver. */
export const isAtLeast = (risk: RiskClass, from: RiskClass): boolean =>
  RISK_CLASSES.indexOf(risk) >= RISK_CLASSES.indexOf(from);
