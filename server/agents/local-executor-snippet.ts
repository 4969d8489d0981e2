/** Enrolment with the local executor: the docker-agent hooks block whose commands run quarterdeck-hook.mjs. */

import { canRefuse } from "@quarterdeck/hooks/contract/client-timeouts";
import { contractOf, type EventName, type Profile } from "@quarterdeck/hooks/contract/events";
import { LOCAL_EXECUTOR_FILE } from "@quarterdeck/hooks/contract/native-hooks";
import { stringify } from "yaml";
import { enrolledEvents } from "./enrolled-events.ts";

export interface LocalExecutorSnippetOptions {
  /** Safe inside a shell's double quotes. */
  readonly url: string;
  readonly profile: Profile;
  /** The key policies are signed with: its DER form in base64. */
  readonly trustKey: string;
}

/**
 * Seconds. Local hooks have a minute and the console nearly two; the program gives up before docker-agent does, so that
 * its own exit code counts.
 */
const PATIENCE = { gate: 240, other: 130 } as const;

export function localExecutorSnippet({ url, profile, trustKey }: LocalExecutorSnippetOptions): string {
  const hooks = Object.fromEntries(
    enrolledEvents(profile).map((event) => [event, entriesOf(event, profile, { url, trustKey })]),
  );
  return [...heading(url, profile), stringify({ hooks }, { lineWidth: 0, aliasDuplicateObjects: false })].join("\n");
}

function heading(url: string, profile: Profile): string[] {
  return [
    `# Every hook event of a docker-agent (profile ${profile}), decided beside it by the local executor: hooks with`,
    "# run_on: agent and builtins that need the agent's files run here, and Quarterdeck is asked for the others.",
    "# Put the block under the agent in its file: agents.<name>.hooks. It needs /bin/sh and Node 20.19 or newer.",
    "#",
    "# Once on the agent's machine; it is one file:",
    `#     mkdir -p ~/.quarterdeck && curl -fsS "${url}/quarterdeck-hook.mjs" -o ~/.quarterdeck/hook.tmp &&`,
    "#       mv ~/.quarterdeck/hook.tmp ~/.quarterdeck/quarterdeck-hook.mjs",
    "#",
    "# The key is not in this file. Set it where the agent is started:",
    "#     export QUARTERDECK_KEY=qd_...",
    "#",
    "# QUARTERDECK_TRUST_KEY is the public key of this console: a policy that anybody else signed is refused. While the",
    "# console is away the last policy holds for 24 hours (QUARTERDECK_POLICY_MAX_AGE); what its own hooks would decide is",
    "# blocked, what happened is kept in ~/.cache/quarterdeck and reported later.",
    "",
  ];
}

function entriesOf(event: EventName, profile: Profile, env: { url: string; trustKey: string }): object[] {
  const { matchesTools, hasPreemptLane } = contractOf(event, profile);
  if (!matchesTools) return [hookOf(event, profile, env)];
  const entry = (options: string, lane: object) => ({
    matcher: "*",
    ...lane,
    hooks: [hookOf(event, profile, env, options)],
  });
  return [...(hasPreemptLane ? [entry(" --lane preempt_yolo", { preempt_yolo: true })] : []), entry("", {})];
}

function hookOf(event: EventName, profile: Profile, env: { url: string; trustKey: string }, options = ""): object {
  const isGate = canRefuse(contractOf(event, profile));
  // For what happens before the program's own exit code exists: no node, no file, or a deadline.
  const otherwise = `|| exit ${isGate ? 2 : 0}`;
  const words = `node "${LOCAL_EXECUTOR_FILE}" ${event}${options}`;
  // Node exits with 0 for an empty file, so a gate requires the object that the complete program prints. `! :` fails,
  // and no function can replace it.
  const answer = `out=$(${words}) && case $out in "{"*"}") printf "%s\\n" "$out";; *) ! :;; esac`;
  const asked = isGate ? `unset -f printf node; ${answer}` : words;
  return {
    name: "quarterdeck",
    type: "command",
    timeout: isGate ? PATIENCE.gate : PATIENCE.other,
    ...(isGate && { on_error: "block" }),
    env: { QUARTERDECK_URL: env.url, QUARTERDECK_TRUST_KEY: env.trustKey },
    // docker-agent runs commands with $SHELL, which may be any shell.
    command: `/bin/sh -c '${asked} ${otherwise}' ${otherwise}`,
  };
}
