/**
 * The single entry point for running hooks for a person. Every path that tries, tests, compares or publishes a text
 * passes it before a process starts: executors accept only a `PermittedHooks`, and only this file creates one. Hooks in
 * force run for agents by another path (`plans.ts`): they passed this entry point when they were published.
 */

import { everyHook, type HookDefinition, type HooksConfig, type PlanSource, type Profile } from "@quarterdeck/hooks";
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import { AppError } from "../../errors/app-error.ts";

declare const permitted: unique symbol;

/** Hooks with permission to run, except those that `isLeftOut` selects. */
export interface PermittedHooks {
  readonly [permitted]: true;
  readonly workspaceId: string;
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  /** True for a hook that is not run; the report lists it without a verdict. */
  readonly isLeftOut: (hook: HookDefinition) => boolean;
}

/** A whole text that its publisher may put in force, and so may test against its cases. */
export interface PermittedText extends PermittedHooks {
  readonly source: string;
  readonly hooks: HooksConfig;
}

export interface HooksToRun {
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  /** Hooks that will not be run, and need no permission. */
  readonly isLeftOut?: (hook: HookDefinition) => boolean;
}

const runsAll = () => false;
const made = new WeakSet<PermittedHooks>();

/**
 * For playground runs. Commands without a sandbox, and commands with network access, require the permission to publish
 * them.
 *
 * Errors: `forbidden`.
 */
export function permitPlayground(actor: Administrator, asked: HooksToRun, isContained: boolean): PermittedHooks {
  requireMay(actor, "policy:write");
  const { sources, profile, isLeftOut = runsAll } = asked;
  const run = sources.flatMap(({ hooks }) => everyHook(hooks)).filter(({ hook }) => !isLeftOut(hook));
  const isDangerous = ({ type, network }: HookDefinition) => type === "command" && (!isContained || network === true);
  if (run.some(({ hook }) => isDangerous(hook))) requireMay(actor, "policy:publish-commands");
  return mint({ workspaceId: actor.workspaceId, sources, profile, isLeftOut });
}

/**
 * For publishing a text, including its test cases.
 *
 * Errors: `forbidden` for commands that `actor` may not publish.
 */
export function permitPublication(
  actor: Administrator,
  text: { readonly name: string; readonly source: string; readonly hooks: HooksConfig; readonly profile: Profile },
): PermittedText {
  requireMay(actor, "policy:publish");
  requireCommandsAllowed(actor, text.hooks);
  const { name, source, hooks, profile } = text;
  const { workspaceId } = actor;
  return mint({
    workspaceId,
    profile,
    source,
    hooks,
    sources: [{ origin: { policy: name }, hooks }],
    isLeftOut: runsAll,
  });
}

/** For the command line, which runs its caller's own files as the caller, on the caller's machine only. */
export function permitOwnFile(asked: Pick<HooksToRun, "sources" | "profile">): PermittedHooks {
  return mint({ workspaceId: "local", ...asked, isLeftOut: runsAll });
}

/** Errors: `internal` for hooks that this file did not create, whatever their type. */
export function requirePermitted(hooks: PermittedHooks): void {
  if (!made.has(hooks)) throw new AppError("internal", "hooks were to be run that nobody was permitted to run");
}

/** Errors: `forbidden` if the hooks run commands, on any machine, that `actor` may not publish. */
export function requireCommandsAllowed(actor: Administrator, hooks: unknown): void {
  if (hasCommands(hooks)) requireMay(actor, "policy:publish-commands");
}

function hasCommands(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("type" in part && part.type === "command") return true;
  return Object.values(part).some(hasCommands);
}

function mint<T extends object>(hooks: T): T & PermittedHooks {
  // Holds: the mark exists only in types, and executors check the set.
  const permitted = Object.freeze(hooks) as T & PermittedHooks;
  made.add(permitted);
  return permitted;
}
