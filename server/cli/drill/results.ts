/** The results of a drill as lines for a person: each call with its outcome and the reason. */
import type { DrillMode, DrillResult } from "../../drills/schema.ts";

export interface ResultRow extends DrillResult {
  /** Null for a prompt. */
  readonly tool: string | null;
}

export function drillLines(title: string, mode: DrillMode, rows: readonly ResultRow[]): string[] {
  const blocked = rows.filter(({ outcome }) => outcome === "blocked").length;
  const where = mode === "outage" ? "outage, the console away" : "liveness";
  const widest = Math.max(...rows.map((row) => nameOf(row).length));
  return [
    `${title}, ${where}: ${blocked} of ${rows.length} blocked`,
    ...rows.map((row) => `  ${nameOf(row).padEnd(widest)}  ${sentenceOf(row, mode)}`),
  ];
}

const nameOf = ({ event, tool }: ResultRow): string => (tool === null ? event : `${event} ${tool}`);

function sentenceOf({ outcome, policy }: ResultRow, mode: DrillMode): string {
  switch (outcome) {
    case "blocked":
      return mode === "outage" ? "blocked" : `blocked: ${POLICY[policy ?? "deny"]}`;
    case "passed":
      return policy === null
        ? "passed: the gate did not answer, and the client would run it"
        : "passed: the gate answered, and the client would run it all the same";
    case "unconfigured":
      return "passed: no hook is configured";
    case "unanswered":
      return "blocked, but the gate did not answer";
    case "reached":
      return "no outage: the gate was reached all the same";
  }
}

const POLICY = {
  deny: "the policy denies it",
  ask: "the gate answered; the policy would ask a person",
  allow: "the gate answered; the policy would allow it, only the drill stopped it",
} as const;
