/**
 * Reads policy texts from people without blocking the event loop: a small text at once, a larger one on a worker
 * thread. The server's own texts are read with source.ts directly.
 *
 * Errors of all five functions: `busy` if the asker has too many reads in progress, `too_costly` after the deadline.
 */
import { compileMatchers } from "@quarterdeck/hooks";
import { createPause } from "../../platform/pause.ts";
import { tasksOf, textWorkers } from "../../platform/worker-pool.ts";
import type { CheckView, ImportClientFile, ImportedClientView, ImportedView, ImportFile } from "../schema.ts";
import type { ReadPolicy } from "./source.ts";
import * as tasks from "./text-tasks.ts";

/** Texts up to this size are read within a few milliseconds, whatever their content. */
export const SMALL_CHARACTERS = 4_096;

const inWorker = tasksOf<typeof tasks>(textWorkers, new URL("./text-tasks.ts", import.meta.url));

/** The policy in `source`; everything wrong is a problem with its place. */
export async function readText(asker: string, source: string): Promise<ReadPolicy> {
  if (source.length <= SMALL_CHARACTERS) return tasks.read(source);
  const found = await inWorker(asker, "read", source);
  // The plan that runs next is compiled in this thread: a compiled matcher does not travel.
  if (found.hooks) await compileMatchers([found.hooks], createPause());
  return found;
}

/** The check that the editor shows next to the text. */
export async function checkInWorker(asker: string, asked: tasks.CheckText): Promise<CheckView> {
  return asked.source.length <= SMALL_CHARACTERS ? tasks.check(asked) : inWorker(asker, "check", asked);
}

/** The preview of a file as a policy. Changes nothing. Errors: `invalid_input` in words. */
export async function previewImport(asker: string, input: ImportFile): Promise<ImportedView> {
  const commands = Object.values(input.commands ?? {}).flat();
  const characters = commands.reduce((all, command) => all + command.length, input.source.length);
  return characters <= SMALL_CHARACTERS ? tasks.preview(input) : inWorker(asker, "preview", input);
}

/** The preview of a client's own file as a policy. Changes nothing and runs nothing. Errors: `invalid_input` in words. */
export async function previewClientImport(asker: string, input: ImportClientFile): Promise<ImportedClientView> {
  // However small: a line of such a file becomes a script of some kilobytes, and the policy of all of them is checked.
  return inWorker(asker, "previewClient", input);
}

/** Per policy, what becomes of its answers on one client. */
export async function findOnClient(
  asker: string,
  asked: tasks.PoliciesOnClient,
): Promise<Map<string, readonly string[]>> {
  const isSmall = JSON.stringify(asked.policies).length <= SMALL_CHARACTERS;
  return new Map(isSmall ? tasks.findOnClient(asked) : await inWorker(asker, "findOnClient", asked));
}
