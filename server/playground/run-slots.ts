/** Counts and limits the concurrent runs of each actor. */
import { AppError } from "../errors/app-error.ts";
import { RUNS_AT_ONCE_MAX } from "./schema.ts";

export interface RunSlots {
  /** Runs `work` if the actor has a free slot. Errors: `busy`. */
  take<T>(who: string, work: () => Promise<T>): Promise<T>;
}

export function createRunSlots(max = RUNS_AT_ONCE_MAX): RunSlots {
  const underWay = new Map<string, number>();
  return {
    async take(who, work) {
      const own = underWay.get(who) ?? 0;
      if (own >= max)
        throw new AppError("busy", undefined, {
          says: `You have ${own} runs under way. Wait for one to end, or cancel it.`,
          retryAfterSeconds: 2,
        });
      underWay.set(who, own + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(who) ?? 1) - 1;
        if (left <= 0) underWay.delete(who);
        else underWay.set(who, left);
      }
    },
  };
}
