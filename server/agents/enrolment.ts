// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/**
 * Enrolment is a snippet, not an install: the docker-agent hooks block whose commands ask this server with curl, and the
 * same by hand. Pure text in, text out.
 */

import { type ClientTimeouts, canRefuse, clientTimeouts } from "@quarterdeck/hooks/contract/client-timeouts";
import { contractOf, type EventContract, type EventName, type Profile } from "@quarterdeck/hooks/contract/events";
import { gateAddress, KEY_LINES, OWN_PROGRAMS, questionLines, ROUTE_LINE } from "../dialects/index.ts";
import { enrolledEvents } from "./enrolled-events.ts";
import { localExecutorSnippet } from "./local-executor-snippet.ts";
import type { EnrolmentView } from "./schema.ts";

export interface EnrolmentOptions {
  /** Where the agent reaches this server, without a trailing slash. */
  readonly url: string;
  readonly profile: Profile;
  /** The public key policies are signed with: its DER form in base64. */
  readonly trustKey: string;
}

export function enrolment(options: EnrolmentOptions): EnrolmentView {
  const url = shellSafe(options.url);
  return {
    url,
    profile: options.profile,
    hooks: hooksYaml(url, options.profile),
    local: localExecutorSnippet({ ...options, url }),
    curl: byHand(url),
    policy: fetch(url),
  };
}

/** Quotes, dollars and the like are legal in a URL and not in our shell text. */
function shellSafe(url: string): string {
  return url
    .replace(/\/+$/, "")
    .replace(/[^\w.~:/?#[\]@&()*+,;=%-]/g, (sign) => encodeURIComponent(sign).replace("'", "%27").replace("!", "%21"));
}

function hooksYaml(url: string, profile: Profile): string {
  return [
    ...heading(url, profile),
    "hooks:",
    ...enrolledEvents(profile).flatMap((event) => eventLines(event, url, profile)),
    "",
  ].join("\n");
}

function heading(url: string, profile: Profile): string[] {
  const events = enrolledEvents(profile);
  const gates = events.filter((event) => canRefuse(contractOf(event, profile)));
  return [
    `# Every hook event of a docker-agent (profile ${profile}), sent to Quarterdeck at ${url}.`,
    "# Put the block under the agent in its file: agents.<name>.hooks. It needs /bin/sh and curl (Linux, macOS, WSL).",
    "#",
    "# The key is not in this file. Set it where the agent is started:",
    "#     export QUARTERDECK_KEY=qd_...",
    "#",
    `# ${gates.length} events can block. There a call that fails for any reason (no key, no curl, no network, an error, an`,
    "# answer of anything but the console) exits with 2 and says why, and what was about to happen does not. The answer",
    "# echoes a random number, and where there is openssl its signature is checked. Proxies of the environment are not",
    "# used; QUARTERDECK_PROXY names one.",
    `# The other ${events.length - gates.length} never disturb: a call that fails prints nothing and exits with 0. That includes`,
    "# tool_response_transform: while the server is away, the answers of tools pass unchanged.",
    ...(profile === "2026-07"
      ? [
          "#",
          "# docker-agent of early July 2026 overlooked an exit with 2 on the preempt lane. There, and only when it also skips",
          "# questions (yolo), a call that could not be judged still runs. Newer ones block it.",
        ]
      : []),
  ];
}

function eventLines(event: EventName, url: string, profile: Profile): string[] {
  const contract = contractOf(event, profile);
  if (!contract.matchesTools) return [`  ${event}:`, ...hookLines(event, contract, url, "    ")];
  const entry = (lane: readonly string[], path: string) => [
    '    - matcher: "*"',
    ...lane,
    "      hooks:",
    ...hookLines(path, contract, url, "        "),
  ];
  if (event === "tool_guard") return [`  ${event}:`, ...entry([], gateAddress(event, "default", profile))];
  if (!contract.hasPreemptLane) return [`  ${event}:`, ...entry([], event)];
  return [
    ...TWO_LANES,
    `  ${event}:`,
    ...entry(["      preempt_yolo: true"], gateAddress(event, "preempt_yolo", profile)),
    ...entry([], gateAddress(event, "default", profile)),
  ];
}

const TWO_LANES = [
  "  # Both lanes are needed. docker-agent skips the default lane in yolo mode and for tools that a permission allows, so",
  "  # the first gate of a call asks for every later one too. A later gate gets the recorded answer, and no hook runs twice.",
];

function hookLines(path: string, contract: EventContract, url: string, indent: string): string[] {
  const isGate = canRefuse(contract);
  const patience = clientTimeouts(contract);
  const command = isGate ? gateCommand(path, url, patience) : observerCommand(path, url, patience);
  return [
    `${indent}- name: quarterdeck`,
    `${indent}  type: command`,
    `${indent}  timeout: ${patience.hook}`,
    // For what happens before our own exit code exists: no shell, or a deadline.
    ...(isGate ? [`${indent}  on_error: block`] : []),
    // One line in single quotes, for /bin/sh: docker-agent runs commands with $SHELL, which may be any shell.
    `${indent}  command: >-`,
    ...command.map((line) => `${indent}    ${line}`),
  ];
}

/** The question and the verification of its answer are the same in every relay; `url` and `wait` are set before. */
function ask(url: string, { curl, person }: ClientTimeouts): string[] {
  const known = `url="${url}/api/v1/hooks/$1"; seconds=${curl}; wait=${person};`;
  return [known, ...KEY_LINES, ROUTE_LINE, ...questionLines(), 'printf "%s\\n" "$body"'];
}

function gateCommand(path: string, url: string, timeouts: ClientTimeouts): string[] {
  return [
    "/bin/sh -c '",
    ...OWN_PROGRAMS,
    'fail() { printf "Quarterdeck: %s\\n" "$1" >&2; exit 2; };',
    '[ "$QUARTERDECK_KEY" ] || fail "QUARTERDECK_KEY is not set, so nothing can be judged and this is blocked.";',
    ...ask(url, timeouts),
    `' quarterdeck "${path}" || exit 2`,
  ];
}

function observerCommand(path: string, url: string, timeouts: ClientTimeouts): string[] {
  return [
    "/bin/sh -c '",
    ...OWN_PROGRAMS,
    "exec 2>/dev/null; fail() { exit 0; };",
    '[ "$QUARTERDECK_KEY" ] || exit 0;',
    ...ask(url, timeouts),
    `' quarterdeck "${path}" || exit 0`,
  ];
}

function byHand(url: string): string {
  return `# For trying by hand: what an agent sends before a tool runs, and the verdict that comes back. {} means: no hook had
# an opinion. It does not check that the console answered, so no agent may be held by it.
export QUARTERDECK_KEY=qd_...
curl -sS --fail-with-body "${url}/api/v1/hooks/pre_tool_use" \\
  -H "Authorization: Bearer $QUARTERDECK_KEY" \\
  -H "Content-Type: application/json" \\
  --data '{"session_id": "by-hand", "tool_name": "shell", "tool_input": {"cmd": "rm -rf /"}}'

# What already happened elsewhere, up to 1,000 events a call. A repeated event_id is stored once.
curl -sS --fail-with-body "${url}/api/v1/events" \\
  -H "Authorization: Bearer $QUARTERDECK_KEY" \\
  -H "Content-Type: application/json" \\
  --data '[{"event_id": "00000000-0000-4000-8000-000000000001", "event": "session_start", "input": {"session_id": "by-hand"}}]'
`;
}

function fetch(url: string): string {
  return `# The hooks that bind this agent now, as docker-agent reads them. --etag-* skips the download while nothing changed.
export QUARTERDECK_KEY=qd_...
curl -sS --fail-with-body "${url}/api/v1/policy" \\
  -H "Authorization: Bearer $QUARTERDECK_KEY" \\
  -H "Accept: application/yaml" \\
  --etag-compare quarterdeck.etag --etag-save quarterdeck.etag \\
  -D quarterdeck.headers -o quarterdeck-hooks.yaml

# Wait up to 30 seconds for the next change instead of asking again: the same with "${url}/api/v1/policy?wait=30".
# The answer is signed (header Quarterdeck-Signature, Ed25519). The public key to check it with:
curl -sS --fail-with-body "${url}/api/v1/signing-key"
`;
}
