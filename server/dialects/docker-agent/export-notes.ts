/** Sentences about the differences between a policy's profile and the docker-agent release that runs its export. Pure. */
import type { HooksConfig } from "@quarterdeck/hooks/contract/config";
import { isGateBuiltin } from "../../hooks/contract/builtins.ts";
import { contractOf, PROFILES, type Profile, WIDEST_PROFILE } from "../../hooks/contract/events.ts";
import { displayName } from "../../hooks/contract/hook.ts";
import { everyHook, type PlacedHook } from "../../hooks/contract/placement.ts";
import { PROFILE_RULES } from "../../hooks/contract/profiles.ts";
import { shortened } from "../import/client-import.ts";
import { type DockerAgentRelease, releaseTitle } from "./releases.ts";

/** One sentence for each difference that affects a hook of the block. */
export function profileNotes(hooks: HooksConfig, profile: Profile, release: DockerAgentRelease): string[] {
  const placed = everyHook(hooks);
  const its = `docker-agent ${releaseTitle(release)}`;
  return [
    ...failureNotes(placed, profile, release, its),
    ...contextNotes(placed, profile, release, its),
    ...laneNotes(hooks, profile, release, its),
    ...agentFileNotes(placed),
    ...saferShellNotes(placed, profile, release, its),
  ];
}

function failureNotes(placed: readonly PlacedHook[], profile: Profile, release: DockerAgentRelease, its: string) {
  const [before, after] = [PROFILE_RULES[profile].otherExitCode, PROFILE_RULES[release.profile].otherExitCode];
  const gates = placed.filter(({ event, hook }) => hook.type === "command" && contractOf(event, profile).failsClosed);
  if (before === after || gates.length === 0) return [];
  return after === "ignored"
    ? [
        `These gates allow on ${its} when they fail with an exit code other than 2: ${namesOf(gates)}. In profile ${profile} they deny. End each command with || exit 2.`,
      ]
    : [
        `These gates deny on ${its} when they exit with a code other than 0 and 2: ${namesOf(gates)}. In profile ${profile} they allow. Use exit 0 for no opinion.`,
      ];
}

function contextNotes(placed: readonly PlacedHook[], profile: Profile, release: DockerAgentRelease, its: string) {
  const dropping = placed.filter(
    ({ event }) => contractOf(event, profile).addsContext && !contractOf(event, release.profile).addsContext,
  );
  const events = [...new Set(dropping.map(({ event }) => event))];
  return events.map((event) => `Context that hooks give on ${event} does not reach the model on ${its}.`);
}

function laneNotes(hooks: HooksConfig, profile: Profile, release: DockerAgentRelease, its: string) {
  const isNewer = PROFILES.indexOf(release.profile) > PROFILES.indexOf(profile) && profile === PROFILES[0];
  const hasDefaultLane = (hooks.pre_tool_use ?? []).some((entry) => entry.preempt_yolo !== true);
  return isNewer && hasDefaultLane
    ? [
        `On ${its}, hooks on pre_tool_use without preempt_yolo run only where the safety mode asks. tool_guard sees every call.`,
      ]
    : [];
}

/** Notes on parts that only an agent file can contain. */
function agentFileNotes(placed: readonly PlacedHook[]): string[] {
  const evaluators = [...new Set(placed.flatMap(({ hook }) => (hook.type === "evaluator" ? [hook.evaluator] : [])))];
  const controls = placed.filter(({ event }) => contractOf(event, WIDEST_PROFILE).control);
  return [
    ...(evaluators.length > 0
      ? [
          `The agent's file must define these evaluators: ${evaluators.map((name) => shortened(name ?? "")).join(", ")}.`,
        ]
      : []),
    ...(controls.length > 0
      ? [
          `The agent's file must have routing.allowed_agents: ${[...new Set(controls.map(({ event }) => event))].join(", ")} need it.`,
        ]
      : []),
  ];
}

function saferShellNotes(placed: readonly PlacedHook[], profile: Profile, release: DockerAgentRelease, its: string) {
  const labels = placed.some(({ hook }) => hook.type === "builtin" && hook.command === "safer_shell");
  return labels && !isGateBuiltin("safer_shell", profile) && release.asksSaferShell
    ? [`safer_shell asks about commands on ${its}. In profile ${profile} it only labels them.`]
    : [];
}

const NAMED_MAX = 5;

function namesOf(placed: readonly PlacedHook[]): string {
  const names = [
    ...new Set(placed.map(({ event, hook }) => `"${shortened(displayName(hook)).slice(0, 80)}" on ${event}`)),
  ];
  const named = names.slice(0, NAMED_MAX).join(", ");
  return names.length > NAMED_MAX ? `${named} and ${names.length - NAMED_MAX} more` : named;
}
