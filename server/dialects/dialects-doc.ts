/** docs/dialects.md, rendered from the tables of capabilities. dialects-doc.test.ts fails when the file is stale. */
import { type EventName, eventNames } from "../hooks/index.ts";
import {
  type Ability,
  type Cell,
  type ClientCapabilities,
  type EventCapability,
  type FailureCell,
  listGaps,
} from "./capabilities.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";

const CLIENTS: readonly ClientCapabilities[] = Object.values(CLIENT_CAPABILITIES);

const WISHES: Record<Ability, string> = {
  deny: "deny",
  ask: "ask",
  rewriteInput: "change the call",
  rewriteOutput: "change the result",
  stop: "end the run",
};

const WORDS: Record<Exclude<Cell, object>, string> = { held: "yes", denied: "denied", ended: "run ended", none: "" };

/** The native events on which something can be decided, and the wishes that each has. */
const ROWS: readonly (readonly [EventName, readonly Ability[]])[] = [
  ["pre_tool_use", ["deny", "ask", "rewriteInput", "stop"]],
  ["permission_request", ["deny"]],
  ["tool_response_transform", ["rewriteOutput"]],
  ["post_tool_use", ["stop"]],
  ["user_prompt_submit", ["deny"]],
  ["before_llm_call", ["deny", "rewriteInput"]],
  ["pre_compact", ["deny"]],
];

const WAYS_IN = [
  "Over HTTP: `POST /api/v1/hooks/{dialect}/{event}`, from the client itself or through the line of curl that an enrolment writes.",
  "By command, for a client that runs commands, the payload on standard input:",
  "",
  "    quarterdeck hook --dialect CLIENT EVENT [--interactive] [--timeout SECONDS] [--key-file FILE] [--trust-key FILE]",
  "",
  "The command is that of [the local executor](local-executor.md), with the same variables. With a key to trust, the executor decides:",
  "hooks of the agent's machine run, and the kept policy holds while the console is away. Without one it asks the console alone.",
  "It answers with a JSON object and exit code 0, the one form in which each of these clients honours a denial. A console that is away,",
  "slow, answers with an error or with something else denies what the client lets us block, and says nothing elsewhere; so",
  "does an input that is empty, cut off, no UTF-8 or larger than 4 MiB. Only wrong arguments end with exit code 2, words on stderr and a denial on stdout. It takes",
  "8 seconds at most (2 on the events that Codex cuts to 3), or SECONDS: stay below the client's own time-out, which runs the call.",
];

/** The whole document. */
export function dialectsDocument(): string {
  return [
    "# Clients",
    "",
    "<!-- Rendered from server/dialects/*/capabilities.ts; `UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc` writes it. -->",
    "",
    "Each client speaks its own dialect of hooks. One policy governs them all; this page says what each client can be held to.",
    "",
    ...section("Two ways in", WAYS_IN),
    ...section("Wishes of a policy", [
      "**yes**: carried out. **denied**, **run ended**: the client cannot do it, so the call is denied or the run ended instead.",
      "**gap**: the client does not follow; see [gaps](#gaps). Empty: the client has no such event.",
    ]),
    ...table(["event", "wish", ...titles()], ROWS.flatMap(wishRows)),
    "",
    ...section("Events that clients send", [
      "The client's own names. Empty: the client never sends it, and a policy on it does nothing there.",
    ]),
    ...table(["event", ...titles()], eventNames("2026-08").map(eventRow).filter(isSentByOthers)),
    "",
    ...section("Failures of a hook", [
      "The fate of a gated call when the hook gives no verdict: by the client itself, then with the files that an enrolment writes.",
    ]),
    ...table(
      ["client", "from version", "known from", "time-out", "error status", "unknown key"],
      CLIENTS.map(failureRow),
    ),
    "",
    ...section("Gaps", [
      "Wishes that a client does not follow. The linter names them where a policy binds such a client.",
    ]),
    ...table(["client", "event", "wish", "consequence"], CLIENTS.flatMap(gapRows)),
    "",
    ...section("Blind spots", ["Actions that reach no hook, and ways round the hooks."]),
    ...CLIENTS.flatMap(({ title, blindSpots }) => [`### ${title}`, "", ...blindSpots.map((text) => `- ${text}`), ""]),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return [`## ${title}`, "", ...lines, ""];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => "---"), ...rows].map((cells) =>
    `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |"),
  );
}

function titles(): string[] {
  return CLIENTS.map(({ title }) => title);
}

function wishRows([native, abilities]: (typeof ROWS)[number]): string[][] {
  return abilities.map((ability) => [
    `\`${native}\``,
    WISHES[ability],
    ...CLIENTS.map((client) => wishCell(client, native, ability)),
  ]);
}

/** The events of a client that answer a native one. Results are changed on `post_tool_use` by all but docker-agent. */
function answering(client: ClientCapabilities, native: EventName): EventCapability[] {
  const capabilities = Object.values(client.events);
  const own = capabilities.filter((capability) => capability.native === native);
  const isTransform = native === "tool_response_transform" && own.length === 0;
  return isTransform ? capabilities.filter((capability) => capability.native === "post_tool_use") : own;
}

/** The client's main event comes first in its table and speaks for the others. */
function wishCell(client: ClientCapabilities, native: EventName, ability: Ability): string {
  const cell = answering(client, native)[0]?.[ability] ?? "none";
  return typeof cell === "object" ? "gap" : WORDS[cell];
}

function eventRow(native: EventName): string[] {
  return [
    `\`${native}\``,
    ...CLIENTS.map(({ events }) =>
      Object.entries(events)
        .filter(([, capability]) => capability.native === native)
        .map(([name]) => name)
        .join(", "),
    ),
  ];
}

/** Events that only docker-agent sends have their own page. */
function isSentByOthers(row: readonly string[]): boolean {
  return row.slice(1).some((names, at) => names !== "" && CLIENTS[at] !== CLIENT_CAPABILITIES["docker-agent"]);
}

function failureRow(client: ClientCapabilities): string[] {
  return [
    client.title,
    client.enforcedFrom,
    client.evidence === "client" ? "the client itself" : "its source",
    failure(client.onTimeout),
    failure(client.onErrorStatus),
    client.onUnknownKey,
  ];
}

function failure({ plain, enrolled }: FailureCell): string {
  return `${plain}, then ${enrolled}`;
}

function gapRows(client: ClientCapabilities): string[][] {
  return listGaps(client).map(({ event, ability, consequence }) => [client.title, event, WISHES[ability], consequence]);
}
