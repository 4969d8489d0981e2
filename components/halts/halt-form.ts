/** The fields of the Stop dialog, and the halt that they describe. */
import { z } from "zod";
import { DEFAULT_REASON } from "@/components/halts/labels";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { type HaltTarget, haltScope, startHalt } from "@/server/halts/schema";

const fields = z.object({
  /** Empty until a person chooses: the whole workspace is never a default. */
  scope: z.union([haltScope, z.literal("")]),
  groupId: z.string(),
  agentId: z.string(),
  sessionId: z.string(),
  isQuarantine: z.boolean(),
});
export type TargetFields = z.infer<typeof fields>;

export const haltForm = z
  .object({
    target: fields.transform((value, context) => {
      const target = targetOf(value);
      if (target !== null) return target;
      context.addIssue({ code: "custom", path: ["scope"], message: "Choose what to stop." });
      return z.NEVER;
    }),
    reason: z.string(),
  })
  .pipe(startHalt);
export type HaltForm = z.input<typeof haltForm>;

/** The fields as the dialog opens. */
export const haltFormOf = ({ scope, agent, group, sessionId }: StopTarget): HaltForm => ({
  target: {
    scope: scope ?? "",
    groupId: group?.id ?? "",
    agentId: agent?.id ?? "",
    sessionId: sessionId ?? "",
    isQuarantine: false,
  },
  reason: DEFAULT_REASON,
});

/** The target that the fields name, checked no further; null without a scope. */
export function targetOf({ scope, groupId, agentId, sessionId, isQuarantine }: TargetFields): HaltTarget | null {
  switch (scope) {
    case "":
      return null;
    case "workspace":
      return { scope };
    case "group":
      return { scope, groupId };
    case "agent":
      return { scope, agentId, isQuarantine };
    case "session":
      return { scope, agentId, sessionId };
  }
}
