/**
 * The profile of a policy that is imported from docker-agent's own files. It is the newest one unless that would open a gate:
 * `safer_shell` asks in older profiles and only labels in the newest. Only parts that older releases cannot read prove that a
 * file's docker-agent labels. Pure.
 */
import { BUILTINS, isGateBuiltin } from "../../hooks/contract/builtins.ts";
import { isEventName, PROFILES, type Profile } from "../../hooks/contract/events.ts";
import { PROFILE_RULES } from "../../hooks/contract/profiles.ts";
import { isObject, type JsonObject } from "../settings/values.ts";
import { handlersOf, listOf } from "./drop-in.ts";
import { NEWEST_PROFILE } from "./releases.ts";

/** The newest profile in which `safer_shell` asks. */
const ASKING_PROFILE: Profile = PROFILES.findLast((profile) => isGateBuiltin("safer_shell", profile)) ?? PROFILES[0];
const LABELLING_PROFILE = BUILTINS.safer_shell.labelsSince;

/** The first config version that only newest-profile releases can read. */
const NEWEST_VERSION_FROM = 16;

/** The profile for a whole file as plain values: an agent file, settings, or a block of hooks. */
export function importProfile(file: unknown): Profile {
  if (!isObject(file) || !hasSaferShell(file)) return NEWEST_PROFILE;
  return isOfLabellingRelease(file) ? NEWEST_PROFILE : ASKING_PROFILE;
}

/** The meaning of `safer_shell` in an imported policy of the profile. */
export const saferShellNote = (profile: Profile): string =>
  isGateBuiltin("safer_shell", profile)
    ? `The policy keeps profile ${profile}, in which safer_shell asks about commands. A current docker-agent only labels them.`
    : "safer_shell is no gate: it only labels commands and asks nobody, as on the docker-agent of this file. Add a gate on tool_guard.";

/** True if the file has the builtin, or a shell toolset with the switch that adds it. */
function hasSaferShell(file: JsonObject): boolean {
  return (
    blocksOf(file).some((hooks) =>
      handlersOf(hooks).some(({ type, command }) => type === "builtin" && command === "safer_shell"),
    ) || agentsOf(file).some(({ toolsets }) => listOf(toolsets).some(({ safer }) => safer === true))
  );
}

/** True if the file has a part that only releases with `safer_shell` as a label know. */
function isOfLabellingRelease(file: JsonObject): boolean {
  if (Number(file.version) >= NEWEST_VERSION_FROM || file.evaluators !== undefined) return true;
  if (agentsOf(file).some(({ routing }) => routing !== undefined)) return true;
  const { unknownHookKeys, unknownHookTypes } = PROFILE_RULES[ASKING_PROFILE];
  return blocksOf(file).some(
    (hooks) =>
      Object.keys(hooks).some(
        (event) => isEventName(event, LABELLING_PROFILE) && !isEventName(event, ASKING_PROFILE),
      ) ||
      handlersOf(hooks).some(
        (hook) =>
          unknownHookTypes.includes(String(hook.type)) ||
          Object.keys(hook).some((key) => unknownHookKeys.includes(key)),
      ),
  );
}

const agentsOf = ({ agents }: JsonObject): JsonObject[] =>
  isObject(agents) ? Object.values(agents).filter(isObject) : [];

/** Every block of hooks in a file. The file itself may be a block. */
function blocksOf(file: JsonObject): JsonObject[] {
  const { settings, hooks } = file;
  const inFile = [
    ...agentsOf(file).map((agent) => agent.hooks),
    isObject(settings) ? settings.hooks : undefined,
    hooks,
  ];
  const known = Object.entries(file).filter(([event]) => isEventName(event, NEWEST_PROFILE));
  return [...inFile.filter(isObject), Object.fromEntries(known)];
}
