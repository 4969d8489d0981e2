/** The parts of an enrolment: from options to the exact files to write. Nothing here touches a disk. */
import { z } from "zod";
import { splitAgentKey } from "../platform/answer-mac.ts";
import type { SettingsFormat } from "./client-files.ts";
import { type Denial, denialBody, NO_VERDICT, relayScript } from "./relay/relay-script.ts";
import type { EnrolmentScope } from "./schema.ts";

export { NO_VERDICT };

/** Characters that mean nothing to a shell, in TOML or in JSON: both texts go into commands. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(\/[A-Za-z0-9._~-]+)*$/;
const PLAIN_KEY = /^[A-Za-z0-9._~+/=-]+$/;

export const enrolmentOptions = z.strictObject({
  url: z
    .string()
    .max(300)
    .regex(PLAIN_URL, "Give the gateway's address as in https://quarterdeck.example.com, without a slash at the end.")
    .describe("The gateway's address."),
  scope: z
    .enum(["project", "user", "managed"])
    .describe("The settings that are written: managed ones hold for every user."),
  key: z
    .string()
    .max(400)
    .regex(PLAIN_KEY, "Give the agent's key as it was shown.")
    .optional()
    .describe("The agent's key."),
  hasTelemetry: z.boolean().optional().describe("False leaves out what sends the client's telemetry to the gateway."),
  proxy: z
    .string()
    .max(300)
    .regex(PLAIN_URL, "Give the proxy's address as in http://proxy.example.com:3128, without a name or password.")
    .optional()
    .describe("The only proxy through which hooks reach the gateway; none when absent."),
  hasOpenssl: z
    .boolean()
    .optional()
    .describe("False where the machine has no openssl: the signatures of answers are not checked there."),
  version: z
    .string()
    .max(40)
    .optional()
    .describe("The version of the installed client, for clients whose releases know other keys."),
});
export type EnrolmentOptions = z.infer<typeof enrolmentOptions>;

export interface EnrolmentFile {
  /** From the project's folder, from the home folder (`~/`), or absolute. */
  readonly path: string;
  readonly mode: number;
  readonly content: string;
  /** The format of settings that hold other people's words too. Without one, the whole file is ours. */
  readonly settings?: SettingsFormat;
  /** Values by which the client finds a receiver of its telemetry: one that is another's stays. */
  readonly receiver?: readonly (readonly string[])[];
  /** Nothing but telemetry is in it, and the client is held without it. */
  readonly isTelemetry?: true;
  /** The key is in it: nobody else may read it, and it is not shown. */
  readonly isSecret?: true;
}

/**
 * The command of a hook gives up before the client does, because a time-out of the client runs the call. The gateway answers before
 * that, also when nobody answered for a person.
 */
export interface HookSeconds {
  readonly client: number;
  readonly relay: number;
  /** For a person's answer; 0 where nobody is asked. */
  readonly wait: number;
}
const AT_ONCE: HookSeconds = { client: 10, relay: 8, wait: 0 };
/** As the shell hook of docker-agent. */
export const FOR_A_PERSON: HookSeconds = { client: 120, relay: 110, wait: 105 };

/** Tool calls that a person may be asked about, in the words of clients whose time-out can be set. */
const TOOL_GATES: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "BeforeTool", "preToolUse"]);

export const secondsOf = (event: string): HookSeconds => (TOOL_GATES.has(event) ? FOR_A_PERSON : AT_ONCE);

export interface Relay {
  readonly dialect: string;
  readonly event: string;
  readonly denial: Denial;
  /** Those of its event when absent. */
  readonly seconds?: HookSeconds;
  /** One word for the shell, for a client that adds text to the end of the command, or runs it with a shell of the user's choice. */
  readonly isWrapped?: boolean;
  /** The address below `/api/v1/hooks/`; the dialect and the event when absent. */
  readonly address?: string;
}

/**
 * The command that has the relay ask. Exit code 0 alone is no answer: a shell also ends with it for a relay that is empty, cut or a folder. So a
 * gate passes on one whole object, which only a whole relay prints, and denies otherwise.
 */
export function relayCommand(options: EnrolmentOptions, relay: Relay): string {
  const { dialect, event, denial, seconds = secondsOf(event), isWrapped = false, address } = relay;
  // A question mark means any character to a shell.
  const asks = address === undefined ? hookUrl(options, dialect, event) : `"${options.url}/api/v1/hooks/${address}"`;
  const path = ownPath("relay", options.scope, "$HOME");
  const words = [
    `/bin/sh "${path}" ${asks}`,
    ...[denial, seconds.relay, seconds.wait],
    ...(options.proxy === undefined ? [] : [options.proxy]),
  ].join(" ");
  // A pipe in place of the relay would hold the hook until the client gives up and runs the call. `! :` fails, and no function replaces it.
  const answer = `out=$(${words}) && case $out in "{"*"}") printf %s "$out";; *) ! :;; esac`;
  const asked = `unset -f printf echo 2>/dev/null; [ -f "${path}" ] && ${answer}`;
  const command = denial === "ignore" ? `${words} || true` : `${asked} || ${fallback(denial, isWrapped)}`;
  return isWrapped ? `/bin/sh -c '${command}'` : command;
}

export function hookUrl({ url }: EnrolmentOptions, dialect: string, event: string): string {
  return `${url}/api/v1/hooks/${dialect}/${event}`;
}

/** Exporters append the path of a signal. */
const TELEMETRY_PATH = "/api/otlp";
const OWN_RECEIVER = [TELEMETRY_PATH, "quarterdeck/header", "Bearer qd_"];

export function telemetryUrl({ url }: EnrolmentOptions): string {
  return `${url}${TELEMETRY_PATH}`;
}

/** True for a setting of telemetry that an enrolment wrote, of this gateway or of another one. */
export function isOwnReceiver(setting: unknown): boolean {
  const text = JSON.stringify(setting) ?? "";
  return OWN_RECEIVER.some((part) => text.includes(part));
}

/** Inside of a wrapped command no single quote may stand. */
function fallback(denial: Exclude<Denial, "ignore">, isWrapped: boolean): string {
  const quoted = (text: string) => (isWrapped ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`);
  if (denial === "exit") return `{ echo ${quoted(NO_VERDICT)} >&2; exit 2; }`;
  return `printf ${quoted("%s")} ${quoted(denialBody(denial, NO_VERDICT))}`;
}

/** The relay, and the files of the key. */
export function relayFiles(options: EnrolmentOptions): EnrolmentFile[] {
  const { scope, hasOpenssl = true } = options;
  const content = relayScript({ hasOpenssl });
  return [{ path: ownPath("relay", scope, "~"), mode: 0o644, content }, ...keyFiles(options)];
}

/**
 * The two parts of the agent's key, if one was given; the sent one as an HTTP header. The world never reads them: managed ones belong
 * to root and to the group of the people who run agents.
 */
export function keyFiles({ scope, key }: EnrolmentOptions): EnrolmentFile[] {
  if (key === undefined) return [];
  const { bearer, answerKey } = splitAgentKey(key);
  const file = (name: "header" | "answer-key", content: string): EnrolmentFile => {
    return { path: ownPath(name, scope, "~"), mode: scope === "managed" ? 0o640 : 0o600, content, isSecret: true };
  };
  const header = file("header", `Authorization: Bearer ${bearer}\n`);
  return answerKey === null ? [header] : [file("answer-key", `${answerKey}\n`), header];
}

const OWN_FILE = /(^|\/)quarterdeck\/(header|answer-key|relay)$/;

/** True for the files that every enrolment of a machine shares. */
export const isOwnFile = (path: string): boolean => OWN_FILE.test(path);

export function ownPath(name: "header" | "answer-key" | "relay", scope: EnrolmentScope, home: string): string {
  return `${scope === "managed" ? "/etc" : `${home}/.config`}/quarterdeck/${name}`;
}

export const headerPath = (scope: EnrolmentScope, home: string): string => ownPath("header", scope, home);
