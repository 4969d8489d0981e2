/** Builds an enrolment: the exact files to write, from the options. This module does not access the disk. */
import { z } from "zod";
import { splitAgentKey } from "../platform/answer-mac.ts";
import type { SettingsFormat } from "./client-files.ts";
import { type Denial, denialBody, NO_VERDICT, relayScript } from "./relay/relay-script.ts";

export { NO_VERDICT };

/** Characters without special meaning in a shell, in TOML or in JSON, because URLs become part of commands. */
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
  keyOf: z
    .string()
    .regex(/^[a-z-]+$/)
    .max(40)
    .optional()
    .describe("The client whose own key the hooks use; absent: the key that the clients of this machine share."),
  version: z
    .string()
    .max(40)
    .optional()
    .describe("The version of the installed client, for clients whose releases know other keys."),
});
export type EnrolmentOptions = z.infer<typeof enrolmentOptions>;

export interface EnrolmentFile {
  /** Relative to the project's folder, relative to the home folder (`~/`), or absolute. */
  readonly path: string;
  readonly mode: number;
  readonly content: string;
  /** The format of a settings file that also has other entries. Absent if the whole file is ours. */
  readonly settings?: SettingsFormat;
  /** The settings that name the client's telemetry receiver. A receiver configured by someone else is left alone. */
  readonly receiver?: readonly (readonly string[])[];
  /** True if the file has only telemetry settings. Enforcement does not depend on it. */
  readonly isTelemetry?: true;
  /** The file contains the key: only its owner may read it, and it is not shown. */
  readonly isSecret?: true;
}

/**
 * The hook's command times out before the client does, because the client runs the call on its own time-out. The gateway answers
 * earlier still, even if no approver has answered.
 */
export interface HookSeconds {
  readonly client: number;
  readonly relay: number;
  /** The time for an approver's answer; 0 if the event asks no approver. */
  readonly wait: number;
}
const AT_ONCE: HookSeconds = { client: 10, relay: 8, wait: 0 };
/** The same times as docker-agent's shell hook. */
export const FOR_A_PERSON: HookSeconds = { client: 120, relay: 110, wait: 105 };

/** Tool call events that may ask an approver, as named by clients with a configurable time-out. */
const TOOL_GATES: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "BeforeTool", "preToolUse"]);

export const secondsOf = (event: string): HookSeconds => (TOOL_GATES.has(event) ? FOR_A_PERSON : AT_ONCE);

export interface Relay {
  readonly dialect: string;
  readonly event: string;
  readonly denial: Denial;
  /** Defaults to those of the event. */
  readonly seconds?: HookSeconds;
  /**
   * True to pass the command as a single shell word, for a client that appends text to the command or runs it with a shell of the
   * user's choice.
   */
  readonly isWrapped?: boolean;
  /** The address below `/api/v1/hooks/`. Defaults to the dialect and the event. */
  readonly address?: string;
}

/**
 * The command that runs the relay. Exit code 0 is not an answer by itself: a shell also returns it for an empty or truncated
 * relay, or a folder. So a gate passes only on one whole JSON object, which only a complete relay prints, and denies otherwise.
 */
export function relayCommand(options: EnrolmentOptions, relay: Relay): string {
  const { dialect, event, denial, seconds = secondsOf(event), isWrapped = false, address } = relay;
  // In a shell, a question mark matches any character.
  const asks = address === undefined ? hookUrl(options, dialect, event) : `"${options.url}/api/v1/hooks/${address}"`;
  const path = ownPath("relay", options, "$HOME");
  const words = [
    `/bin/sh "${path}" ${asks}`,
    ...[denial, seconds.relay, seconds.wait],
    ...(options.proxy === undefined ? [] : [options.proxy]),
  ].join(" ");
  // A named pipe instead of the relay would block until the client times out and runs the call. `! :` fails, and no function can
  // replace it.
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
const OWN_RECEIVER = /\/api\/otlp|quarterdeck\/([a-z-]+\/)?header|Bearer qd_/;

export function telemetryUrl({ url }: EnrolmentOptions): string {
  return `${url}${TELEMETRY_PATH}`;
}

/** True for a telemetry setting that an enrolment wrote, for this gateway or another one. */
export function isOwnReceiver(setting: unknown): boolean {
  const text = JSON.stringify(setting) ?? "";
  return OWN_RECEIVER.test(text);
}

/** A wrapped command must not contain a single quote. */
function fallback(denial: Exclude<Denial, "ignore">, isWrapped: boolean): string {
  const quoted = (text: string) => (isWrapped ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`);
  if (denial === "exit") return `{ echo ${quoted(NO_VERDICT)} >&2; exit 2; }`;
  return `printf ${quoted("%s")} ${quoted(denialBody(denial, NO_VERDICT))}`;
}

/** The relay, and the files of the key. */
export function relayFiles(options: EnrolmentOptions): EnrolmentFile[] {
  const content = relayScript({ hasOpenssl: options.hasOpenssl ?? true });
  return [{ path: ownPath("relay", options, "~"), mode: 0o644, content }, ...keyFiles(options)];
}

/**
 * The files for the two parts of the agent's key, if a key was given. The sent part is an HTTP header. The files are never
 * world-readable: managed ones belong to root and to the group of users who run agents.
 */
export function keyFiles(options: EnrolmentOptions): EnrolmentFile[] {
  const { scope, key } = options;
  if (key === undefined) return [];
  const { bearer, answerKey } = splitAgentKey(key);
  const file = (name: "header" | "answer-key", content: string): EnrolmentFile => {
    return { path: ownPath(name, options, "~"), mode: scope === "managed" ? 0o640 : 0o600, content, isSecret: true };
  };
  const header = file("header", `Authorization: Bearer ${bearer}\n`);
  return answerKey === null ? [header] : [file("answer-key", `${answerKey}\n`), header];
}

const OWN_FILE = /(^|\/)quarterdeck\/([a-z-]+\/)?(header|answer-key|relay)$/;

/** True for the key and the relay, which the enrolments of a machine share unless a client has its own. */
export const isOwnFile = (path: string): boolean => OWN_FILE.test(path);

/** The settings that a key belongs to, and the client if the key is that client's own. */
export type KeyOwner = Pick<EnrolmentOptions, "scope" | "keyOf">;

/** The relay finds the key in its own folder. */
export function ownPath(name: "header" | "answer-key" | "relay", { scope, keyOf }: KeyOwner, home: string): string {
  const folder = keyOf === undefined ? "quarterdeck" : `quarterdeck/${keyOf}`;
  return `${scope === "managed" ? "/etc" : `${home}/.config`}/${folder}/${name}`;
}

export const headerPath = (owner: KeyOwner, home: string): string => ownPath("header", owner, home);
