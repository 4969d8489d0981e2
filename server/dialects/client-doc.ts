/** docs/clients/NAME.md: one page for each client, from its tables and notes. dialects-doc.test.ts fails if a page is stale. */
import { ABILITIES, type ClientCapabilities, type FailureCell, listGaps } from "./capabilities.ts";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { CLIENT_NOTES } from "./client-notes.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { documentTable } from "./document-table.ts";
import { isOwnFile } from "./enrolment.ts";
import { cellText, WISH_LABELS } from "./matrix.ts";
import { type ClientName, ENROLLED_CLIENTS, type EnrolledClientInfo } from "./schema.ts";

/** The page of one client. */
export function clientDocument(name: ClientName): string {
  const client: ClientCapabilities = CLIENT_CAPABILITIES[name];
  const { title, enforcedFrom, evidence, transports, blindSpots } = client;
  const { versions, notes, telemetry } = CLIENT_NOTES[name];
  return [
    `# ${title}`,
    "",
    "<!-- Rendered from server/dialects/*/capabilities.ts and client-notes.ts; `UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc` writes it. -->",
    "",
    `Governed from version ${enforcedFrom} on. These facts come from ${evidence === "client" ? "the client itself" : "its source"}. Versions checked: ${versions}`,
    `Hook types: ${transports.join(", ")}. [Clients](../dialects.md) compares all clients, and so does the console under Agents, Clients.`,
    "",
    "## Supported answers",
    "",
    "**yes**: carried out. **denied**, **run ended**: the client cannot do it, and this happens instead. **gap**: the client does not follow.",
    "(none): no policy event corresponds. It is recorded, and nothing is decided.",
    "",
    ...documentTable(
      ["event", "policy event", ...ABILITIES.map((ability) => WISH_LABELS[ability]), "context"],
      Object.entries(client.events).map(([event, capability]) => [
        `\`${event}\``,
        capability.native === null ? "(none)" : `\`${capability.native}\``,
        ...ABILITIES.map((ability) => cellText(capability[ability])),
        capability.addsContext ? "yes" : "",
      ]),
    ),
    "",
    "## Gaps",
    "",
    ...listGaps(client).map(
      ({ event, ability, consequence }) => `- \`${event}\`, ${WISH_LABELS[ability]}: ${consequence}`,
    ),
    ...blindSpots.map((text) => `- ${text}`),
    "",
    "## Failures of a hook",
    "",
    "The fate of a gated call, by the client itself and with the files that an enrolment writes.",
    "",
    ...documentTable(
      ["failure", "by itself", "enrolled"],
      [
        ["time-out", ...fatesOf(client.onTimeout)],
        ["error status", ...fatesOf(client.onErrorStatus)],
        ["unknown key in the answer", client.onUnknownKey, ""],
      ],
    ),
    "",
    "## Enrolment",
    "",
    ...enrolmentLines(name),
    ...(telemetry === undefined ? [] : ["## OpenTelemetry", "", TELEMETRY, "", ...telemetry, ""]),
    "## Worth knowing",
    "",
    ...notes.map((note) => `- ${note}`),
    "",
  ].join("\n");
}

const TELEMETRY =
  "Its log records bring each request's tokens into the ledger: [telemetry of clients](../client-telemetry.md).";

const fatesOf = ({ plain, enrolled }: FailureCell): string[] => [plain, enrolled];

function enrolmentLines(name: ClientName): string[] {
  const { telemetry } = CLIENT_NOTES[name];
  const { scopes }: EnrolledClientInfo = ENROLLED_CLIENTS[name];
  const files = scopes.map((scope) => {
    const paths = CLIENT_ENROLMENTS[name]({ url: "https://console.example", scope, key: "qd_..." })
      .filter(({ path }) => !isOwnFile(path))
      .map(({ path }) => `\`${path}\``);
    return [`\`--${scope}\``, paths.join(", ")];
  });
  return [
    `    quarterdeck enrol ${name} [--proxy URL] [--dry-run] [--remove]${telemetry === undefined ? "" : " [--no-telemetry]"}`,
    "",
    "The first option is the default. [Enrolment](../dialects.md#enrolment) says how to get the command onto a machine.",
    "",
    ...documentTable(["option", "files"], files),
    "",
  ];
}
