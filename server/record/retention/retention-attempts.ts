/**
 * Runs one rule after the other: a failure is logged, counted and stored for its workspace, and does not stop other
 * rules.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { clearFaults, saveFault } from "./retention-repository.ts";

const SAYS_MAX = 300;
const SENTENCES: Readonly<Record<string, string>> = {
  "55P03": "Another transaction held the data for longer than a second.",
  "57014": "A step took longer than it may.",
};

/** One sentence for the settings page. */
export function faultSentence(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  return SENTENCES[code] ?? truncateText(`PostgreSQL answered: ${message}`, SAYS_MAX);
}

export function createAttempts(options: { pool: Pool; log: Log; clock: Clock; bus?: Pick<Bus, "tell"> }) {
  const { pool, log, clock, bus } = options;
  const failedOf = new Map<string, Map<string, string>>();

  return {
    /** The result of `work`, on behalf of these workspaces; null when it failed. */
    async of<T>(workspaceIds: readonly string[], rule: string, work: () => Promise<T>): Promise<T | null> {
      try {
        return await work();
      } catch (err) {
        log.error(
          { err, rule, workspaces: workspaceIds.slice(0, 10) },
          "a rule of retention failed; it is tried again",
        );
        for (const id of workspaceIds) {
          const failed = failedOf.get(id) ?? new Map<string, string>();
          failedOf.set(id, failed.set(rule, faultSentence(err)));
        }
        return null;
      }
    },
    /** Remembers what failed, and forgets what did not fail again. */
    async end(workspaceIds: readonly string[]): Promise<void> {
      for (const id of workspaceIds) {
        const failed = failedOf.get(id) ?? new Map<string, string>();
        await clearFaults(pool, id, [...failed.keys()]);
        for (const [rule, says] of failed) await saveFault(pool, id, rule, says, new Date(clock.now()));
        if (failed.size > 0) bus?.tell(id, ["audit"]);
      }
    },
  };
}
