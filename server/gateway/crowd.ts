/** Limits the requests under way per client and in total, for requests without credentials to count by. */
import { AppError } from "../errors/app-error.ts";

export interface CrowdLimits {
  readonly perClientMax: number;
  readonly totalMax: number;
}

export interface Crowd {
  /** Counts one request; returns a function that ends it, once. Errors: `overloaded`. */
  enter(client: string): () => void;
}

export function createCrowd({ perClientMax, totalMax }: CrowdLimits): Crowd {
  const byClient = new Map<string, number>();
  let total = 0;
  return {
    enter(client) {
      const own = byClient.get(client) ?? 0;
      if (own >= perClientMax || total >= totalMax)
        throw new AppError("overloaded", `${own} of ${total} under way`, { retryAfterSeconds: 1 });
      byClient.set(client, own + 1);
      total += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        total -= 1;
        const left = (byClient.get(client) ?? 1) - 1;
        if (left === 0) byClient.delete(client);
        else byClient.set(client, left);
      };
    },
  };
}
