/** A stored assignment as this release reads it: one that cannot be read applies its policy to every agent, and enforces it. */
import type { Problem } from "@quarterdeck/hooks";
import { problemAt } from "@quarterdeck/hooks/contract/problem";
import { z } from "zod";
import { storedProblem } from "../../platform/stored-fault.ts";
import type { Canary } from "../rollout/canary-share.ts";
import { agentTag, agentTags } from "./agent-tag-schema.ts";
import type { AssignmentScope } from "./assignment-schema.ts";
import type { Assigned } from "./resolve-assignments.ts";

interface AssignmentColumns {
  readonly scope: string;
  readonly targetId: string | null;
  readonly tag: string | null;
  readonly mode: string;
  readonly observeUntil: Date | null;
}

const none = z.null("names more than its scope has");
const target = z.string("has no target");
const storedTarget = z.discriminatedUnion(
  "scope",
  [
    z.object({ scope: z.literal("workspace"), targetId: none, tag: none }),
    z.object({ scope: z.literal("tag"), targetId: none, tag: agentTag }),
    z.object({ scope: z.literal("group"), targetId: target, tag: none }),
    z.object({ scope: z.literal("sign_on_group"), targetId: target, tag: none }),
    z.object({ scope: z.literal("person"), targetId: target, tag: none }),
    z.object({ scope: z.literal("agent"), targetId: target, tag: none }),
  ],
  { error: "this release does not know it" },
);

export interface ReadAssignment extends Pick<Assigned, "target" | "observeUntil"> {
  readonly scope: AssignmentScope;
  /** Null where all of it can be read. */
  readonly problem: string | null;
}

/** `isLost`: its target does not exist. None can be deleted while a policy is assigned to it. */
export function readAssignment(row: AssignmentColumns, isLost: boolean): ReadAssignment {
  const read = storedTarget.safeParse(row);
  if (!read.success || isLost) {
    const problem = read.success ? `${read.data.scope}: there is none with this id` : storedProblem(read.error);
    return { scope: "workspace", target: null, observeUntil: null, problem };
  }
  const { scope, tag, targetId } = read.data;
  const isObserved = row.mode === "observe" && isInstant(row.observeUntil);
  const isKnown = row.mode === "enforce" || isObserved;
  return {
    ...{ scope, target: tag ?? targetId },
    observeUntil: isObserved ? row.observeUntil : null,
    problem: isKnown ? null : "mode: it says neither to enforce nor until when to observe",
  };
}

const isInstant = (at: Date | null): boolean => at !== null && Number.isFinite(at.getTime());

/** The tags of an agent; null where they cannot be read: then it may have any. */
export const readTags = (tags: unknown): readonly string[] | null => agentTags.safeParse(tags).data ?? null;

/** Stands for the tags of an agent that cannot be read. */
export const everyTagOf = (assignments: readonly AssignmentColumns[]): string[] => [
  ...new Set(assignments.flatMap(({ tag }) => tag ?? [])),
];

interface PolicyColumns {
  readonly liveRevision: number;
  readonly canaryRevision: number | null;
  readonly canaryShare: number | null;
  readonly canaryGroupId: string | null;
}

export interface ReadRollout {
  /** `UNREADABLE_REVISION` where it cannot be read: then every gate of the policy denies. */
  readonly liveRevision: number;
  readonly canary: Canary | null;
  readonly problem: Problem | null;
}

/** The number of a revision that is not stored. It denies at every gate. */
export const UNREADABLE_REVISION = -1;

const storedRollout = z.object({
  liveRevision: z.int().nonnegative(),
  canary: z
    .object({ revision: z.int().positive(), share: z.int().min(0).max(100), groupId: z.uuid().nullable() })
    .nullable(),
});

/** The revision that is live and the canary, as a policy's row has them. */
export function readRollout({ liveRevision, canaryRevision, canaryShare, canaryGroupId }: PolicyColumns): ReadRollout {
  const hasCanary = canaryRevision !== null || canaryShare !== null || canaryGroupId !== null;
  const canary = hasCanary ? { revision: canaryRevision, share: canaryShare, groupId: canaryGroupId } : null;
  const read = storedRollout.safeParse({ liveRevision, canary });
  if (read.success) return { ...read.data, problem: null };
  const problem = {
    ...problemAt([], `the revision in force is unknown: ${storedProblem(read.error)}`),
    path: "rollout",
  };
  return { liveRevision: UNREADABLE_REVISION, canary: null, problem };
}
