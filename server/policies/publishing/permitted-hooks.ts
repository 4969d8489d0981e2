/**
 * The one door to running hooks for a person. Every path that tries, tests, compares or publishes a text comes through here
 * before a process starts: executors take a `PermittedHooks` and nothing else, and only this file makes one. Hooks that are
 * already in force run for agents by another path (`plans.ts`): they came through this door when they were published.
 */

import { everyHook, type HookDefinition, type HooksConfig, type PlanSource, type Profile } from "@quarterdeck/hooks";
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import { AppError } from "../../errors/app-error.ts";

declare const permitted: unique symbol;

/** Hooks that may be run, all of them but those that `isLeftOut` names. */
export interface PermittedHooks {
  readonly [permitted]: true;
  readonly workspaceId: string;
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  /** A hook that is not run: it is in the report and says nothing. */
  readonly isLeftOut: (hook: HookDefinition) => boolean;
}

/** A whole text that its publisher may put in force, and so may hold against its test cases. */
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
 * For trying hooks that need not be in force. Commands without a sandbox, and commands that reach the network, take who may
 * publish them. Errors: `forbidden`.
 */
export function permitPlayground(actor: Administrator, asked: HooksToRun, isContained: boolean): PermittedHooks {
  requireMay(actor, "policy:write");
  const { sources, profile, isLeftOut = runsAll } = asked;
  const run = sources.flatMap(({ hooks }) => everyHook(hooks)).filter(({ hook }) => !isLeftOut(hook));
  const isDangerous = ({ type, network }: HookDefinition) => type === "command" && (!isContained || network === true);
  if (run.some(({ hook }) => isDangerous(hook))) requireMay(actor, "policy:publish-commands");
  return mint({ workspaceId: actor.workspaceId, sources, profile, isLeftOut });
}

/** For publishing a text, its test cases included. Errors: `forbidden` when it has commands that `actor` may not publish. */
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

/** For the command line, which runs its caller's own files as its caller: nobody else's machine is concerned. */
export function permitOwnFile(asked: Pick<HooksToRun, "sources" | "profile">): PermittedHooks {
  return mint({ workspaceId: "local", ...asked, isLeftOut: runsAll });
}

/** Errors: `internal` for what did not come through the door, whatever its type was made to say. */
export function requirePermitted(hooks: PermittedHooks): void {
  if (!made.has(hooks)) throw new AppError("internal", "hooks were to be run that nobody was permitted to run");
}

/** Errors: `forbidden` when the hooks run commands, wherever they would run, and `actor` may not publish those. */
export function requireCommandsAllowed(actor: Administrator, hooks: unknown): void {
  if (hasCommands(hooks)) requireMay(actor, "policy:publish-commands");
}

function hasCommands(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("type" in part && part.type === "command") return true;
  return Object.values(part).some(hasCommands);
}

function mint<T extends object>(hooks: T): T & PermittedHooks {
  // Holds: the mark exists in types only, and the set is what executors look at.
  const permitted = Object.freeze(hooks) as T & PermittedHooks;
  made.add(permitted);
  return permitted;
}
