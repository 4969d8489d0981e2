/** How much is under way: one busy agent leaves room for the others, and all of them together for the machine. */
import { AppError } from "../errors/app-error.ts";

export interface Admission {
  /** Counts one request in; call the answer when it is done. Errors: `busy` for this agent, `overloaded` for all. */
  enter(agentId: string): () => void;
  readonly underWay: number;
}

export interface AdmissionLimits {
  readonly perAgentMax: number;
  readonly totalMax: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = { perAgentMax: 256, totalMax: 1_024 };

export function createAdmission({ perAgentMax, totalMax }: AdmissionLimits): Admission {
  const perAgent = new Map<string, number>();
  let total = 0;
  return {
    enter(agentId) {
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
