/** Limits concurrent requests: per agent, so that a busy one leaves room for others, and in total. */
import type { LoadClass } from "../access/load-class.ts";
import { AppError } from "../errors/app-error.ts";

export interface Admission {
  /** Counts one request in; call the answer when it is done. Errors: `busy` for this agent, `overloaded` for all. */
  enter(agentId: string, of?: LoadClass): () => void;
  readonly underWay: number;
}

export interface AdmissionLimits {
  readonly perAgentMax: number;
  readonly totalMax: number;
  /** Limits for reports among one agent's requests, and among all: each report holds up to a thousand events. */
  readonly reportsOfOneMax: number;
  readonly reportsMax: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  perAgentMax: 256,
  totalMax: 1_024,
  reportsOfOneMax: 16,
  reportsMax: 32,
};

export function createAdmission(limits: AdmissionLimits): Admission {
  const requests = places(limits.perAgentMax, limits.totalMax);
  const reports = places(limits.reportsOfOneMax, limits.reportsMax);
  return {
    enter(agentId, of = "gate") {
      if (of !== "report") return requests.enter(agentId);
      const leaveReports = reports.enter(agentId);
      try {
        const leave = requests.enter(agentId);
        return () => {
          leaveReports();
          leave();
        };
      } catch (error) {
        leaveReports();
        throw error;
      }
    },
    get underWay() {
      return requests.underWay;
    },
  };
}

function places(perAgentMax: number, totalMax: number) {
  const perAgent = new Map<string, number>();
  let total = 0;
  return {
    enter(agentId: string): () => void {
      const own = perAgent.get(agentId) ?? 0;
      if (own >= perAgentMax) {
        const says = `This agent has ${perAgentMax} requests under way. Wait for some of them.`;
        throw new AppError("busy", agentId, { says, retryAfterSeconds: 1 });
      }
      if (total >= totalMax) throw new AppError("overloaded", `${total} under way`, { retryAfterSeconds: 1 });
      perAgent.set(agentId, own + 1);
      total += 1;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        total -= 1;
        const left = (perAgent.get(agentId) ?? 1) - 1;
        if (left === 0) perAgent.delete(agentId);
        else perAgent.set(agentId, left);
      };
    },
    get underWay() {
      return total;
    },
  };
}
