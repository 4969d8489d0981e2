/** The files that enrol a client that is not docker-agent, and the command that writes them. */

import { CLIENT_ENROLMENTS, enrolmentOptions, shellInstallerChecksum } from "../dialects/index.ts";
import { ENROLLED_CLIENTS, type EnrolledClientInfo } from "../dialects/schema.ts";
import type { AskEnrolment, EnrolmentView } from "./schema.ts";

/** A placeholder with the form of a key, shown as `qd_...`. */
const BEARER = `qd_${"0".repeat(43)}`;
const KEY = `${BEARER}_${"0".repeat(64)}`;
const ANSWER_KEY_SHOWN = "(64 letters: the second part of the key)\n";

export function clientEnrolment(
  client: NonNullable<AskEnrolment["client"]>,
  address: string,
  scope: AskEnrolment["scope"],
): NonNullable<EnrolmentView["client"]> {
  const { title, scopes }: EnrolledClientInfo = ENROLLED_CLIENTS[client];
  if (!scopes.includes(scope)) return none(`${title} reads no ${scope} settings that hold hooks.`);
  const url = address.replace(/\/+$/, "");
  const options = enrolmentOptions.safeParse({ url, scope, key: KEY });
  // The address is part of shell commands, so an address with quotes or dollar signs gets no files.
  if (!options.success) return none(options.error.issues[0]?.message ?? "There are no files for this address.");
  const files = CLIENT_ENROLMENTS[client](options.data).map(({ path, mode, content }) => ({
    path,
    mode: mode.toString(8).padStart(4, "0"),
    content: path.endsWith("/answer-key") ? ANSWER_KEY_SHOWN : content.replaceAll(BEARER, "qd_..."),
  }));
  return { command: commandText(client, url, scope), shell: shellText(client, url, scope), files, problem: null };
}

function none(problem: string) {
  return { command: "", shell: "", files: [], problem };
}

/** The program comes from this server; root needs the key that the person set, which sudo would drop. */
function commandText(client: string, url: string, scope: AskEnrolment["scope"]): string {
  const sudo = sudoFor(scope);
  return `curl -fsSO ${url}/quarterdeck-enrol.mjs\n${sudo}node quarterdeck-enrol.mjs ${client} --${scope} --url ${url}\n`;
}

/**
 * The installer for machines without Node. The page shows the checksum, so that it does not come from the same
 * download.
 */
function shellText(client: string, url: string, scope: AskEnrolment["scope"]): string {
  const program = "quarterdeck-enrol.sh";
  const check = `echo "${shellInstallerChecksum()}  ${program}" | sha256sum -c -`;
  return `curl -fsSO ${url}/${program}\n${check} &&\n  ${sudoFor(scope)}sh ${program} ${client} --${scope} --url ${url}\n`;
}

const sudoFor = (scope: AskEnrolment["scope"]): string =>
  scope === "managed" ? "sudo --preserve-env=QUARTERDECK_KEY " : "";
