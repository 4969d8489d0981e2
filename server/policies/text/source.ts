/** A policy's YAML text as this server takes it: the reading is the contract's, what can run here is known here. */

import {
  AVAILABLE_BUILTINS,
  compilePlan,
  type Equipment,
  type HooksConfig,
  listSecrets,
  type Profile,
} from "@quarterdeck/hooks";
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import type { JudgeKnown } from "@quarterdeck/hooks/contract/judge-prompt";
import type { FindSecrets, ToolSeen } from "@quarterdeck/hooks/contract/lint/context";
import { checkParsedText } from "@quarterdeck/hooks/contract/text/check";
import { type PolicyText, readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import type { TextProblem } from "@quarterdeck/hooks/contract/text/text-problems";
import type { CheckView } from "../schema.ts";

/** The equipment that a policy may use. Hooks that cannot run on the server run on the agent's machine. */
export const AVAILABLE: Equipment = { builtins: AVAILABLE_BUILTINS, models: true, evaluators: true };

export interface ReadPolicy {
  readonly profile: Profile;
  /** Null while the text has problems. */
  readonly hooks: HooksConfig | null;
  readonly problems: readonly TextProblem[];
}

/**
 * The policy in `source`: a mapping with `hooks:` and an optional `profile:`, or only the hooks block.
 *
 * Errors: none; each fault is returned as a problem with its place.
 */
export function readPolicy(source: string): ReadPolicy {
  return published(readPolicyText(source, AVAILABLE));
}

function published(text: PolicyText): ReadPolicy {
  const { profile, hooks, problems, placed } = text;
  if (!hooks || problems.length > 0) return { profile, hooks: null, problems };
  // A guard that vanishes is refused here even where the older profile would drop it quietly.
  const vanishing = compilePlan({ sources: [{ origin: {}, hooks }], profile, kinds: [] }).problems.map(placed);
  return { profile, hooks: vanishing.length > 0 ? null : hooks, problems: vanishing };
}

/** The detector of `redact_secrets`. A variable's name is not a secret. */
const findSecrets: FindSecrets = (source) =>
  listSecrets(source)
    .filter(({ start, end }) => !source.slice(start, end).includes("$"))
    .map((span) => ({ ...span, kind: "a secret" }));

/** The facts about a workspace that a text is checked against. */
interface KnownFacts {
  readonly tools?: readonly ToolSeen[];
  readonly judges?: readonly JudgeKnown[];
  readonly clients?: readonly ClientKnown[];
}

/** The check that the editor shows next to the text, with the problems that only the publisher can find. */
export function checkPolicy(source: string, { tools = [], judges, clients }: KnownFacts = {}): CheckView {
  const text = readPolicyText(source, AVAILABLE);
  const checked = checkParsedText(text, {
    ...{ tools, findSecrets },
    ...(judges && { judges }),
    ...(clients && { clients }),
  });
  const { hooks, problems } = published(text);
  return hooks ? checked : { ...checked, problems: [...problems], events: [] };
}
