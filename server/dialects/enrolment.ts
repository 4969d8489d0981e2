/** The parts of an enrolment: from options to the exact files to write. Nothing here touches a disk. */
import { z } from "zod";

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
});
export type EnrolmentOptions = z.infer<typeof enrolmentOptions>;
export type Scope = EnrolmentOptions["scope"];

export interface EnrolmentFile {
  /** From the project's folder, from the home folder (`~/`), or absolute. */
  readonly path: string;
  readonly mode: number;
  readonly content: string;
  /** The format of settings that hold other people's words too. Without one, the whole file is ours. */
  readonly settings?: SettingsFormat;
}
/** `jsonc`: the client reads comments in its JSON. */
export type SettingsFormat = "json" | "jsonc" | "toml";

/** The command of a hook gives up before the client does: a time-out of the client runs the call. */
export const CLIENT_SECONDS = 10;
export const RELAY_SECONDS = 8;
export const NO_VERDICT = "quarterdeck: no verdict, blocked";

/** The end of a command whose call failed: words and exit code 2, a body for clients that need one, or nothing. */
export type OnFailure = "exit" | "ignore" | { readonly print: Readonly<Record<string, unknown>> };

export interface Relay {
  readonly dialect: string;
  readonly event: string;
  readonly onFailure: OnFailure;
  readonly seconds?: number;
  /** One word for the shell, for a client that adds text to the end of the command. */
  readonly isWrapped?: boolean;
}

/** The command that hands a hook's input to the gateway and prints the answer. */
export function relayCommand(options: EnrolmentOptions, relay: Relay): string {
  const { dialect, event, onFailure, seconds = RELAY_SECONDS, isWrapped = false } = relay;
  const quote = isWrapped ? '"' : "'";
  const call = [
    `curl -sS -f -m ${seconds} -H "@${headerPath(options.scope, "$HOME")}" -H ${quote}Content-Type: application/json${quote}`,
    `--data-binary @- ${hookUrl(options, dialect, event)}`,
  ].join(" ");
  const command = `${call} || ${fallback(onFailure, quote)}`;
  return isWrapped ? `sh -c '${command}'` : command;
}

export function hookUrl({ url }: EnrolmentOptions, dialect: string, event: string): string {
  return `${url}/api/v1/hooks/${dialect}/${event}`;
}

function fallback(onFailure: OnFailure, quote: string): string {
  if (onFailure === "ignore") return "true";
  if (onFailure === "exit") return `{ echo ${quote}${NO_VERDICT}${quote} >&2; exit 2; }`;
  return `printf '%s' '${JSON.stringify(onFailure.print)}'`;
}

/**
 * The file with the agent's key as an HTTP header, if a key was given. The world never reads it: a managed one belongs to root
 * and to the group of the people who run agents.
 */
export function headerFile({ scope, key }: EnrolmentOptions): EnrolmentFile[] {
  if (key === undefined) return [];
  const mode = scope === "managed" ? 0o640 : 0o600;
  return [{ path: headerPath(scope, "~"), mode, content: `Authorization: Bearer ${key}\n` }];
}

export function jsonFile(path: string, value: unknown, settings: SettingsFormat = "json"): EnrolmentFile {
  return { path, mode: 0o644, content: `${JSON.stringify(value, null, 2)}\n`, settings };
}

/** The body that denies a permission request of Claude Code's kind, where exit code 2 does nothing. */
export const PERMISSION_DENIED = {
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: NO_VERDICT } },
};
export const STOPPED = { continue: false, stopReason: NO_VERDICT };

export function headerPath(scope: Scope, home: string): string {
  return scope === "managed" ? "/etc/quarterdeck/header" : `${home}/.config/quarterdeck/header`;
}
