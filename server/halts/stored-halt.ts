/** A stored halt as this release reads it: one whose target cannot be read reaches every agent that it may concern. */
import { z } from "zod";
import { type StoredFault, storedProblem } from "../platform/stored-fault.ts";
import { type HaltScope, haltScope } from "./schema.ts";

interface HaltTargetRow {
  readonly scope: string;
  readonly groupId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  /** Its group or agent exists, where it names one. */
  readonly hasTarget: boolean;
}

const none = z.null("names more than its scope has");
const named = z.string("has no target");
const storedTarget = z.discriminatedUnion(
  "scope",
  [
    z.object({ scope: z.literal("workspace"), groupId: none, agentId: none, sessionId: none }),
    z.object({ scope: z.literal("group"), groupId: named, agentId: none, sessionId: none }),
    z.object({ scope: z.literal("agent"), groupId: none, agentId: named, sessionId: none }),
    z.object({ scope: z.literal("session"), groupId: none, agentId: named, sessionId: named.min(1, "is empty") }),
  ],
  { error: "this release does not know it" },
);

export interface ReadHaltTarget {
  /** The reach: as stored where that can be read, and else the narrowest that surely holds the target. */
  readonly scope: HaltScope;
  /** Null when all of it can be read. */
  readonly problem: string | null;
}

export function readHaltTarget(row: HaltTargetRow): ReadHaltTarget {
  const { success, data, error } = storedTarget.safeParse(row);
  if (success && row.hasTarget) return { scope: data.scope, problem: null };
  const problem = success ? `${data.scope}: there is none with this id` : storedProblem(error);
  return { scope: widestOf(row), problem };
}

function widestOf({ scope, groupId, agentId, sessionId, hasTarget }: HaltTargetRow): HaltScope {
  const isNarrow = hasTarget && haltScope.safeParse(scope).data !== "workspace";
  // With two targets, either may be meant.
  if (!isNarrow || (groupId !== null && (agentId !== null || sessionId !== null))) return "workspace";
  if (agentId !== null) return "agent";
  return groupId === null ? "workspace" : "group";
}

const REACHED: Readonly<Record<HaltScope, string>> = {
  workspace: "every agent of the workspace",
  group: "every agent of its group",
  agent: "every session of its agent",
  session: "its session",
};

/** The text after the reason of a halt whose target cannot be read. */
export const unreadableHaltNote = ({ scope, problem }: ReadHaltTarget): string =>
  `The stored target of this halt cannot be read (${problem}), so it applies to ${REACHED[scope]}. Resume it on the Halts page and halt again.`;

export const haltFault = (about: string, read: ReadHaltTarget & { readonly problem: string }): StoredFault => ({
  thing: `halt of "${about}"`,
  problem: read.problem,
  effect: `it applies to ${REACHED[read.scope]}`,
});
