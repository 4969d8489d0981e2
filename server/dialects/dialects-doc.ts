/** docs/dialects.md, generated from the capability tables. dialects-doc.test.ts fails if the file is stale. */
import { type KindInfo, SELECTABLE_KINDS } from "@quarterdeck/hooks/contract/tool-kinds";
import { type EventName, eventNames, WIDEST_PROFILE } from "../hooks/index.ts";
import { type ClientCapabilities, type FailureCell, listGaps } from "./capabilities.ts";
import { LOOKALIKES } from "./claude-code/lookalikes.ts";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { CLIENT_TOOLS } from "./client-tools.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { documentTable } from "./document-table.ts";
import { isOwnFile } from "./enrolment.ts";
import { cellText, listWishRows, WISH_LABELS, type WishCell, type WishRow } from "./matrix.ts";
import {
  CLIENT_NAMES,
  type ClientName,
  ENROLLED_CLIENT_NAMES,
  ENROLLED_CLIENTS,
  ENROLMENT_SCOPES,
  type EnrolledClientInfo,
} from "./schema.ts";

const CLIENTS: readonly ClientCapabilities[] = Object.values(CLIENT_CAPABILITIES);

const ENROLMENT = [
  "`quarterdeck enrol NAME` writes the hooks into a client's files. The console serves it as one file for the machines that agents",
  "run on. It needs Node, and connects only to join. The hooks need `sh` and `curl` (opencode needs neither).",
  "",
  "    export QUARTERDECK_KEY=qd_...",
  "    curl -fsSO https://CONSOLE/quarterdeck-enrol.mjs",
  "    node quarterdeck-enrol.mjs claude-code --user --url https://CONSOLE",
  "",
  "Without Node, `quarterdeck-enrol.sh` takes the same options. It needs a machine that has none of the files yet. Agents, New agent shows",
  "its checksum.",
  "",
  "- `--user` (the default), `--project [DIR]` or `--managed`: the settings it writes. `--managed --root DIR` prepares those of an image.",
  "- `--dry-run` only shows the diff. A second run finds nothing to do. A run with another `--url` changes the hooks.",
  "- The telemetry of Claude Code, Codex and Gemini CLI goes to the console too, without prompts: [each request's tokens](client-telemetry.md).",
  "  `--no-telemetry` leaves it out. A receiver configured by someone else is left alone.",
  "- `--remove` takes back what it wrote and keeps later additions of others. A file without such additions is restored to the byte.",
  "- Other people's hooks, settings and comments stay. The former files are kept until the removal, with the record of what was written,",
  "  in `~/.config/quarterdeck`. For managed settings they are in `/etc/quarterdeck`.",
  "- The key goes into two files there, mode 0600: `header` holds the part that is sent, `answer-key` the part that checks answers. Managed",
  "  ones have mode 0640: give them to the group of the people who run agents (`chgrp`). Without a key `enrol` writes no hooks, because",
  "  every call would be blocked.",
  "- Each hook calls one shell script there, `relay`. It prints an answer only after it has checked all of it. The answer has status 200 and is",
  "  complete JSON. It repeats the random number of this question. It is signed with the agent's key for this question and its headers. Anything",
  "  else denies, and the message says what answered. The relay follows no redirect and reads no configuration of curl.",
  "- `openssl` checks the signatures. On a machine without it the enrolment says so. There, an active attacker on the line can answer.",
  "- Native Windows has no POSIX shell, so `enrol` refuses there and writes nothing. Run the client in WSL and enrol it there.",
  "- `--proxy URL` names the only proxy of the hooks. `http_proxy` and similar variables are ignored.",
  "- A machine without a key joins first: `quarterdeck join --url https://CONSOLE --token-file FILE`, or `node quarterdeck-enrol.mjs join` with the",
  "  same options. It exchanges an enrolment token for an agent and a key of its own, in `~/.config/quarterdeck/header`. `enrol` then needs no",
  "  `QUARTERDECK_KEY`. The key stays there after `--remove`. A key of the older form has no second part: it opens the console but checks nothing.",
  "  Create a new one.",
  "- `connect CLIENT` does all three: join, enrol, drill. A second client on the machine joins as an agent of its own. Its key and relay are in",
  "  `~/.config/quarterdeck/CLIENT`, and the first client keeps its key. `enrol` without a token lets clients share one key, and so one agent.",
  "- `enrol` refuses, and writes nothing, if a file does not parse or has more than 1 MiB. It also refuses a file that is reached by a link out of",
  "  its folder, and another program under the only name that a client reads. The message names the file and the remedy.",
  "- Before a call, a permission or a prompt, a hook that fails for any reason blocks. It blocks in the way that the client honours: exit code",
  "  2 with words, a printed refusal, `failClosed`, or an exception of the plugin. It gives up before the client would.",
  "  Results of tools pass unchanged while the server is away.",
  "- Codex runs hooks of a user or project only after a person trusted them with `/hooks`.",
  "- docker-agent gets one file in `hooks.d` that governs every agent of the user. Its form depends on the installed release:",
  "  see [docker-agent](clients/docker-agent.md). A hooks block for one agent's own file is under Agents, New agent.",
];

const WAYS_IN = [
  "Over HTTP: `POST /api/v1/hooks/{dialect}/{event}`, from the client itself or through the relay that an enrolment writes.",
  "By command, for a client that runs commands, with the payload on standard input:",
  "",
  "    quarterdeck hook --dialect CLIENT EVENT [--interactive] [--timeout SECONDS] [--url URL] [--key-file FILE] [--trust-key FILE]",
  "",
  "The command is that of [the local executor](local-executor.md), with the same variables. Arguments go before variables: give `--url`,",
  "`--key-file` and `--trust-key` where an agent could change the environment of its client. With a key to trust, the executor decides.",
  "Hooks of the agent's machine run, and the kept policy holds while the console is away. Without such a key it asks only the console.",
  "It answers with a JSON object and exit code 0, the one form in which each of these clients honours a denial. Some failures deny what the",
  "client lets us block, and say nothing on other events: a console that is away, slow, or answers with an error or with something else,",
  "and an input that is empty, cut off, not UTF-8 or larger than 4 MiB. Only wrong arguments end with exit code 2, words on stderr and a",
  "denial on stdout. It takes 8 seconds at most (2 on the events that Codex cuts to 3), or SECONDS. Stay below the client's own time-out:",
  "after it the client runs the call.",
  "",
  "An event that the client does not have is recorded, and no hook is asked. A body there that names a tool and brings no result is denied",
  "as a call. A mistyped event in an address must not open a gate.",
  "",
  `Three more dialects are spoken as Claude Code's, as their makers describe them: ${LOOKALIKES.map((name) => `\`${name}\``).join(", ")} (Factory Droid,`,
  "Auggie, Cortex Code). None of them was run. They have no table, enrolment or drill, and no promise.",
];

/** The whole document. */
export function dialectsDocument(): string {
  return [
    "# Clients",
    "",
    "<!-- Rendered from server/dialects/*/capabilities.ts; `UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc` writes it. -->",
    "",
    "Each client has its own dialect of hooks. One policy governs them all. This page shows which answers each client obeys.",
    "",
    ...section("Enrolment", ENROLMENT),
    `Each client has a page of its own: ${clientLinks()}.`,
    "",
    ...documentTable(
      ["client", "name", "`--user`", "`--project`", "`--managed`"],
      ENROLLED_CLIENT_NAMES.map(enrolmentRow),
    ),
    "",
    ...section("Two ways in", WAYS_IN),
    ...section("Wishes of a policy", [
      "**yes**: carried out. **denied**, **run ended**: the client cannot do it, so the call is denied or the run ended instead.",
      "**gap**: the client does not follow. See [gaps](#gaps). **partly**: another of the client's events for it differs. Its own page says",
      "how. Empty: the client has no such event.",
    ]),
    ...documentTable(["event", "wish", ...titles()], listWishRows().map(wishRow)),
    "",
    ...section("Events that clients send", [
      "The client's own names. Empty: the client never sends it, and a policy on it does nothing there.",
    ]),
    ...documentTable(["event", ...titles()], eventNames(WIDEST_PROFILE).map(eventRow).filter(isSentByOthers)),
    "",
    ...section("Tool kinds", [
      "Each client has its own names for tools that do the same. A rule on a kind has the names of every client as its matcher. In the",
      "form it is, for example, **Shell commands (any client)**. Empty: no name is known. Tools of MCP servers have the servers' names.",
    ]),
    ...documentTable(["kind", ...titles()], SELECTABLE_KINDS.filter(({ kind }) => kind !== "mcp").map(kindRow)),
    "",
    ...section("Failures of a hook", [
      "The fate of a gated call when the hook gives no verdict: by the client itself, then with the files that an enrolment writes.",
    ]),
    ...documentTable(
      ["client", "from version", "known from", "time-out", "error status", "unknown key"],
      CLIENTS.map(failureRow),
    ),
    "",
    ...section("Gaps", [
      "Wishes that a client does not follow. The linter names them where a policy binds such a client.",
    ]),
    ...documentTable(["client", "event", "wish", "consequence"], CLIENTS.flatMap(gapRows)),
    "",
    ...section("Blind spots", ["Actions that reach no hook, and ways round the hooks."]),
    ...CLIENTS.flatMap(({ title, blindSpots }) => [`### ${title}`, "", ...blindSpots.map((text) => `- ${text}`), ""]),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return [`## ${title}`, "", ...lines, ""];
}

function clientLinks(): string {
  return Object.entries(CLIENT_CAPABILITIES)
    .map(([name, { title }]) => `[${title}](clients/${name}.md)`)
    .join(", ");
}

function titles(): string[] {
  return CLIENTS.map(({ title }) => title);
}

/** The settings file, or the folder if there are several files. */
function enrolmentRow(client: (typeof ENROLLED_CLIENT_NAMES)[number]): string[] {
  const { title, scopes }: EnrolledClientInfo = ENROLLED_CLIENTS[client];
  const pathFor = (scope: (typeof ENROLMENT_SCOPES)[number]) => {
    const paths = CLIENT_ENROLMENTS[client]({ url: "https://console.example", scope })
      .map(({ path }) => path)
      .filter((path) => !isOwnFile(path));
    const [first = ""] = paths;
    return `\`${paths.length > 2 ? first.replace(/[^/]+$/, "") : paths.join("`, `")}\``;
  };
  const cells = ENROLMENT_SCOPES.map((scope) => (scopes.includes(scope) ? pathFor(scope) : ""));
  return [title, `\`${client}\``, ...cells];
}

function kindRow({ kind, title }: KindInfo): string[] {
  const namesOf = (client: ClientName) => (kind === "mcp" ? [] : (CLIENT_TOOLS[client][kind] ?? []));
  return [
    title,
    ...CLIENT_NAMES.map((client) =>
      namesOf(client)
        .map((name) => `\`${name}\``)
        .join(", "),
    ),
  ];
}

function wishRow({ native, ability, cells }: WishRow): string[] {
  return [`\`${native}\``, WISH_LABELS[ability], ...cells.map(wishCell)];
}

function wishCell({ cell, isPartly }: WishCell): string {
  return isPartly ? `${cellText(cell)}, partly` : cellText(cell);
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
  return listGaps(client).map(({ event, ability, consequence }) => [
    client.title,
    event,
    WISH_LABELS[ability],
    consequence,
  ]);
}
