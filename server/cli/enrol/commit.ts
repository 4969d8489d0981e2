/** Writes a plan: first backups and the record, then each complete file. A failure restores the written files. */
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "../refusal.ts";
import { codeOf, type FoundFile, findFile, makeFolder, replaceFile } from "./files.ts";
import type { Plan, Step } from "./plan.ts";
import { BACKUPS, type EnrolmentRecord, RECORD_FILE, recordText } from "./record.ts";
import type { Target } from "./target.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const FOLDER = 0o755;

export async function commitPlan(target: Target, plan: Plan, before: EnrolmentRecord): Promise<void> {
  for (const { found } of plan.steps) await refuseIfChanged(target, found);
  const folder = join(target.recordRoot, target.recordFolder);
  const record = { ...plan.record, folders: [...before.folders] };
  const done: Step[] = [];
  try {
    if (Object.keys(record.files).length > 0) record.folders.push(...(await makeFolders(folder, plan)));
    for (const [name, text] of plan.backups)
      await replaceFile(join(folder, BACKUPS, name), { text, mode: PRIVATE_FILE, owner: null });
    await writeRecord(folder, record);
    for (const step of plan.steps) {
      await perform(step.found, step.after, step.mode);
      done.push(step);
    }
  } catch (error) {
    for (const { found } of done.toReversed())
      await perform(found, found.text, found.mode ?? PRIVATE_FILE).catch(() => undefined);
    await writeRecord(folder, before).catch(() => undefined);
    for (const name of plan.backups.keys()) await rm(join(folder, BACKUPS, name), { force: true });
    await removeFolders(folder, { ...before, folders: record.folders });
    const { name } = plan.steps[done.length]?.found ?? { name: folder };
    throw new Refusal(
      `${name} cannot be written (${codeOf(error)}), and nothing was changed. Run this as somebody who may.`,
    );
  }
  for (const name of plan.spent) await rm(join(folder, BACKUPS, name), { force: true });
  await removeFolders(folder, record);
}

/** Somebody may have saved the file between the plan and now. */
async function refuseIfChanged({ files, locate }: Target, { name, text }: FoundFile): Promise<void> {
  const file = files.find(({ path }) => join(...locate(path)) === name);
  const now = file && (await findFile(...locate(file.path)));
  if (now?.text !== text) throw new Refusal(`${name} was changed just now, so nothing was written. Run this again.`);
}

async function makeFolders(folder: string, { steps, backups }: Plan): Promise<string[]> {
  const made = await makeFolder(folder, folder.startsWith("/etc/") ? FOLDER : PRIVATE_FOLDER);
  if (backups.size > 0) made.push(...(await makeFolder(join(folder, BACKUPS), PRIVATE_FOLDER)));
  for (const { found, after } of steps)
    if (after !== null) made.push(...(await makeFolder(dirname(found.target), FOLDER)));
  return made;
}

async function perform({ target, owner }: FoundFile, text: string | null, mode: number): Promise<void> {
  if (text === null) await rm(target, { force: true });
  else await replaceFile(target, { text, mode, owner });
}

async function writeRecord(folder: string, record: EnrolmentRecord): Promise<void> {
  const path = join(folder, RECORD_FILE);
  if (Object.keys(record.files).length === 0) await rm(path, { force: true });
  else await replaceFile(path, { text: recordText(record), mode: PRIVATE_FILE, owner: null });
}

/** The folders that were made go again when nothing is enrolled any more and nothing is in them. */
async function removeFolders(folder: string, { files, folders }: EnrolmentRecord): Promise<void> {
  if (Object.keys(files).length > 0) return;
  for (const path of [join(folder, BACKUPS), ...folders.toSorted((one, other) => other.length - one.length)])
    await rmdir(path).catch(() => undefined);
}
