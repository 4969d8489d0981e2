/** The keys of a home: one that its clients share, and one of its own for each client that was connected later. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isOwnFile } from "../dialects/index.ts";
import { clientTitle, type EnrolledClient, type EnrolmentScope } from "../dialects/schema.ts";
import { findFile } from "./enrol/files.ts";
import { readRecord } from "./enrol/record.ts";
import { Refusal } from "./refusal.ts";

/** Below the home. */
const KEY_FOLDER = ".config/quarterdeck";

interface UsersHome {
  readonly scope: EnrolmentScope;
  readonly home: string;
}

/** The client, if it has its own key in this home. Only settings of the user use it, because others share a project's. */
export function ownKeyOf(client: EnrolledClient, { scope, home }: UsersHome): EnrolledClient | undefined {
  return scope === "user" && existsSync(join(home, KEY_FOLDER, client, "header")) ? client : undefined;
}

/**
 * The folder below the home for the key of a machine that joins, or of one more client of it.
 * Errors: a `Refusal` if the machine, or this client, has a key already.
 */
export async function freeKeyFolder(home: string, client?: EnrolledClient): Promise<string> {
  const shared = await findFile(home, `${KEY_FOLDER}/header`);
  if (shared.text === null) return KEY_FOLDER;
  if (client === undefined)
    throw new Refusal(
      `${shared.name} holds a key already. Move it away first, if this machine is to join as another agent.`,
    );
  const own = await findFile(home, `${KEY_FOLDER}/${client}/header`);
  if (own.text !== null)
    throw new Refusal(`${own.name} holds a key already. Move it away first, to connect it as another agent.`);
  if (await isEnrolled(home, client))
    throw new Refusal(
      `${clientTitle(client)} is enrolled already, with the key in ${shared.name}. Take that back first: enrol ${client} --remove.`,
    );
  return `${KEY_FOLDER}/${client}`;
}

/** True if the record of this home names an enrolment of the client for this user. */
async function isEnrolled(home: string, client: EnrolledClient): Promise<boolean> {
  const { files } = await readRecord(home, KEY_FOLDER);
  const ofClient = Object.entries(files).filter(([path]) => !isOwnFile(path));
  return ofClient.some(([, { owners }]) => owners.some((owner) => owner.startsWith(`${client} `)));
}
