/**
 * The files that enrol docker-agent: one drop-in file in the user's `hooks.d` folder, with every event that the installed release
 * knows. No hook of a policy runs twice: the first gate before a tool also asks for the later ones, which get the recorded answer.
 */
import { canRefuse, clientTimeouts } from "../../hooks/contract/client-timeouts.ts";
import { contractOf, type EventName, eventNames, type Lane, type Profile } from "../../hooks/contract/events.ts";
import { CLIENT_FILES } from "../client-files.ts";
import { type EnrolmentFile, type EnrolmentOptions, relayCommand, relayFiles } from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";
import { gateAddress } from "./gate-address.ts";
import { dropInForm, LEFT_OUT_EVENTS, OLDEST_PROFILE } from "./releases.ts";

export function enrolDockerAgent(options: EnrolmentOptions): EnrolmentFile[] {
  const form = dropInForm(options.version ?? null);
  const content = dropInText(options, form.isSupported ? form.profile : OLDEST_PROFILE);
  const [path] = CLIENT_FILES["docker-agent"].user;
  return [{ path, mode: 0o600, content }, ...relayFiles(options)];
}

function dropInText(options: EnrolmentOptions, profile: Profile): string {
  return [
    "# Asks Quarterdeck about every hook event. `quarterdeck enrol docker-agent` wrote this file, and writes it anew.",
    `# Form ${profile}. docker-agent skips the whole file for one key that it does not know: enrol again after an update.`,
    ...eventsOf(profile).flatMap((event) => [`${event}:`, ...entryLines(event, options, profile)]),
    "",
  ].join("\n");
}

const eventsOf = (profile: Profile): EventName[] => eventNames(profile).filter((event) => !LEFT_OUT_EVENTS.has(event));

function entryLines(event: EventName, options: EnrolmentOptions, profile: Profile): string[] {
  const { matchesTools, hasPreemptLane } = contractOf(event, profile);
  if (!matchesTools) return hookLines({ event, lane: "default" }, options, profile, "  ");
  const lanes: readonly Lane[] = hasPreemptLane ? ["preempt_yolo", "default"] : ["default"];
  return lanes.flatMap((lane) => [
    '  - matcher: "*"',
    ...(lane === "preempt_yolo" ? ["    preempt_yolo: true"] : []),
    "    hooks:",
    ...hookLines({ event, lane }, options, profile, "      "),
  ]);
}

interface AskedGate {
  readonly event: EventName;
  readonly lane: Lane;
}

function hookLines({ event, lane }: AskedGate, options: EnrolmentOptions, profile: Profile, indent: string): string[] {
  const contract = contractOf(event, profile);
  const { hook, curl, person } = clientTimeouts(contract);
  const isGate = canRefuse(contract);
  const denial: Denial = !isGate ? "ignore" : contract.hasPreemptLane ? "verdict" : "exit";
  const command = relayCommand(options, {
    ...{ dialect: "docker-agent", event, denial, isWrapped: true },
    address: gateAddress(event, lane, profile),
    seconds: { client: hook, relay: curl, wait: person },
  });
  return [
    `${indent}- name: quarterdeck`,
    `${indent}  type: command`,
    `${indent}  timeout: ${hook}`,
    ...(isGate ? [`${indent}  on_error: block`] : []),
    // Without /bin/sh the relay gives no answer. docker-agent runs commands with $SHELL, which may be any shell.
    `${indent}  command: ${JSON.stringify(`${command} || exit ${isGate ? 2 : 0}`)}`,
  ];
}
