/** Enrolments in the client's own settings: hooks by event, each with a command that asks. */
import { CLIENT_FILES, type ClientFiles } from "./client-files.ts";
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  type HookSeconds,
  type Relay,
  relayCommand,
  relayFiles,
  secondsOf,
} from "./enrolment.ts";
import type { Denial } from "./relay/relay-script.ts";
import type { EnrolledClient } from "./schema.ts";

interface AskingHook {
  readonly denial: Denial;
  readonly command: string;
  readonly seconds: HookSeconds;
}

export interface AskingHooks<Hook> extends Pick<Relay, "isWrapped"> {
  readonly client: EnrolledClient;
  /** The events that ask the gateway, each with its form of denial. */
  readonly events: Readonly<Record<string, Denial>>;
  /** A hook in the client's own format. */
  readonly hookOf: (hook: AskingHook) => Hook;
  readonly secondsFor?: typeof secondsOf;
}

export function hooksByEvent<Hook>(
  options: EnrolmentOptions,
  { client, events, hookOf, secondsFor = secondsOf, isWrapped = false }: AskingHooks<Hook>,
): Readonly<Record<string, Hook>> {
  const hooks = Object.entries(events).map(([event, denial]) => {
    const seconds = secondsFor(event);
    const command = relayCommand(options, { dialect: client, event, denial, seconds, isWrapped });
    return [event, hookOf({ denial, command, seconds })];
  });
  return Object.fromEntries(hooks);
}

interface SettingsEnrolment extends AskingHooks<unknown>, Pick<EnrolmentFile, "receiver"> {
  /** Other settings, written before the hooks. */
  readonly settingsOf?: (options: EnrolmentOptions) => Readonly<Record<string, unknown>>;
  readonly moreFiles?: (options: EnrolmentOptions) => readonly EnrolmentFile[];
}

export function createEnrolment({ settingsOf, moreFiles, receiver, ...hooks }: SettingsEnrolment) {
  return (options: EnrolmentOptions): EnrolmentFile[] => {
    const file = settingsFile(hooks.client, options, { ...settingsOf?.(options), hooks: hooksByEvent(options, hooks) });
    return [{ ...file, ...(receiver && { receiver }) }, ...(moreFiles?.(options) ?? []), ...relayFiles(options)];
  };
}

/** The client's settings file for the scope; the user's settings if the client does not have that scope. */
export function settingsFile(client: EnrolledClient, { scope }: EnrolmentOptions, value: unknown): EnrolmentFile {
  const { format, ...paths }: ClientFiles = CLIENT_FILES[client];
  const [path] = paths[scope] ?? paths.user;
  return { path, mode: 0o644, content: `${JSON.stringify(value, null, 2)}\n`, settings: format ?? "json" };
}
