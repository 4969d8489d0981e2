/** A stored exception as this release reads it: an unreadable one lifts nothing. */
import { z } from "zod";
import { storedProblem } from "../platform/stored-fault.ts";
import {
  COMMAND_WORDS_MAX,
  COMMAND_WORDS_MIN,
  type ExceptedRule,
  type ExceptionLifts,
  type ExceptionScope,
  exceptedRule,
  exceptionLifts,
  exceptionScope,
} from "./schema.ts";

export interface ExceptionColumns {
  readonly scope: string;
  readonly lifts: string;
  readonly rules: unknown;
  readonly command: readonly string[] | null;
  readonly agentId: string | null;
}

const UNKNOWN = "this release does not know it";
const storedException = z
  .object({
    scope: z.string().refine((scope) => exceptionScope.safeParse(scope).success, UNKNOWN),
    lifts: z.string().refine((lifts) => exceptionLifts.safeParse(lifts).success, UNKNOWN),
    rules: z.array(exceptedRule),
    command: z.array(z.string()).min(COMMAND_WORDS_MIN).max(COMMAND_WORDS_MAX).nullable(),
    agentId: z.string().nullable(),
  })
  .refine(({ scope, agentId }) => (scope === "agent" || scope === "session") === (agentId !== null), {
    path: ["scope"],
    error: "it fits no agent",
  });

/** The first problem of an exception; null where all of it can be read. */
export function exceptionProblem(row: ExceptionColumns): string | null {
  const read = storedException.safeParse(row);
  return read.success ? null : storedProblem(read.error);
}

/** An exception as pages show it: without the parts that cannot be read. */
export function shownException<T extends ExceptionColumns>(row: T) {
  return {
    ...row,
    scope: exceptionScope.safeParse(row.scope).data ?? ("workspace" satisfies ExceptionScope),
    lifts: exceptionLifts.safeParse(row.lifts).data ?? ("question" satisfies ExceptionLifts),
    rules: z.array(exceptedRule).safeParse(row.rules).data ?? ([] satisfies ExceptedRule[]),
    command: row.command === null ? null : row.command.map(String),
    problem: exceptionProblem(row),
  };
}
