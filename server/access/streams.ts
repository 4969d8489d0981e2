/** Limits the streams that people and scripts hold open: per session, which is one browser, and per actor. */

import { AppError } from "../errors/app-error.ts";
import { sha256 } from "../platform/secrets.ts";
import { shareOf } from "../platform/share.ts";
import type { Administrator } from "./actor.ts";

export interface StreamLimits {
  readonly ofSessionMax: number;
  readonly ofPersonMax: number;
}

export const STREAM_LIMITS: StreamLimits = { ofSessionMax: 32, ofPersonMax: 256 };

export interface Streams {
  /** Counts one stream; returns a function that ends it, once. A token counts as a session. Errors: `busy`. */
  enter(actor: Administrator, session: string | null): () => void;
}

/** One browser's connections may all come to one of several processes, so each allows a few tabs. */
const OF_SESSION_MIN = 8;

export function createStreams(limits: StreamLimits = STREAM_LIMITS, processes = 1): Streams {
  const { ofPersonMax } = shareOf(limits, processes);
  const ofSessionMax = Math.max(
    Math.min(OF_SESSION_MIN, limits.ofSessionMax),
    Math.ceil(limits.ofSessionMax / processes),
  );
  const open = new Map<string, number>();
  const count = (key: string, by: number) => {
    const left = (open.get(key) ?? 0) + by;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  };
  return {
    enter({ kind, id }, session) {
      const person = `${kind} ${id}`;
      const own = `session ${session === null ? person : sha256(session).toString("hex")}`;
      if ((open.get(own) ?? 0) >= ofSessionMax) throw tooMany("This session", ofSessionMax);
      if ((open.get(person) ?? 0) >= ofPersonMax) throw tooMany("You", ofPersonMax);
      for (const key of [own, person]) count(key, 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        for (const key of [own, person]) count(key, -1);
      };
    },
  };
}

const tooMany = (who: string, max: number) =>
  new AppError("busy", undefined, {
    says: `${who === "You" ? "You have" : `${who} has`} ${max} streams open already. Close some tabs, then try again.`,
    retryAfterSeconds: 5,
  });
