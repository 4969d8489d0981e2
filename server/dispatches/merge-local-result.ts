/** Merges the result of an agent's local executor with the server's result. */

import type { Verdict } from "@quarterdeck/hooks";
import { parseJson } from "../access/json-text.ts";
import { memberSources, pgText } from "../recording/index.ts";
import type { StoredHook } from "../recording/schema.ts";
import { invalidInputError } from "./parse-hook-input.ts";
import { type LocalExecutorResult, localExecutorResult } from "./schema.ts";

const WEIGHTIEST_FIRST: readonly Verdict[] = ["deny", "ask", "allow", "none"];

interface Conclusion {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly hooks: readonly StoredHook[];
}

/** Both as one. An agent's word about its own hooks can make the verdict stricter and never looser. */
export function mergeLocalResult(local: LocalExecutorResult | undefined, here: Conclusion): Conclusion {
  if (!local) return here;
  const weight = ({ verdict }: { verdict: Verdict }) => WEIGHTIEST_FIRST.indexOf(verdict);
  const isLocal = weight(local) < weight(here) || (here.hooks.length === 0 && local.hooks.length > 0);
  const { verdict, reason } = isLocal ? local : here;
  return { verdict, reason: pgText(reason), hooks: [...local.hooks.map(storedLocal), ...here.hooks] };
}

function storedLocal(hook: LocalExecutorResult["hooks"][number]): StoredHook {
  const { failure, exitCode, ...rest } = hook;
  const texts = Object.entries(rest).map(([name, value]) => [name, typeof value === "string" ? pgText(value) : value]);
  return {
    // Holds: the same members with texts that PostgreSQL can keep.
    ...(Object.fromEntries(texts) as typeof rest),
    ...(failure === undefined ? {} : { failure: pgText(failure) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ranOn: "agent",
  };
}

export interface OpenedEnvelope {
  /** The input's own text: numbers keep their digits. */
  readonly text: string;
  readonly local: LocalExecutorResult;
}

/** Errors: `invalid_input` with a pointer, and what `parseJson` refuses. */
export function openLocalEnvelope(body: string, depthMax: number): OpenedEnvelope {
  const value = parseJson(body, depthMax + 2);
  const parsed = localExecutorResult.safeParse(
    typeof value === "object" && value ? Reflect.get(value, "local") : undefined,
  );
  if (!parsed.success) throw invalidInputError(parsed.error.issues[0], "/local");
  return { text: memberSources(body).get("input") ?? "null", local: parsed.data };
}
