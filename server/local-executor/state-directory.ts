/**
 * The directory of one agent's policy, spool and builtin files. It is named for the console and the agent, so that it
 * outlives the agent's keys. A key finds it by a pointer, which is written when the console first confirms the key's
 * agent. Until then files are kept in a directory of the key, and moved once the agent is known.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { causeOf, Trouble } from "./errors.ts";

/** Whose state it is. Both ids are the console's, which signed them. */
export interface AgentAddress {
  readonly workspace: string;
  readonly sub: string;
}

export interface StateDirectory {
  /** QUARTERDECK_HOOK_DIR: files here belong to no single agent. */
  readonly root: string;
  /** Ours alone (0700). Another one once the agent is known. */
  readonly dir: string;
  isOf(agent: AgentAddress): boolean;
  /**
   * Assigns the directory to this agent. Files kept under the key are moved to it, and so is the directory of an
   * earlier key if `isOwn` recognizes its path.
   */
  claim(agent: AgentAddress, isOwn: (dir: string) => boolean): void;
  /** Moves files that were kept under the key since the claim. */
  adopt(): void;
}

/** A directory of a key; executors before version 2 of the layout kept everything in one. */
const KEY_DIRECTORY = /^[0-9a-f]{16}$/;
const AGENT_DIRECTORY = /^agent-[0-9a-f]{16}$/;
/** Somebody may still be writing into a younger one. */
const EMPTY_FOR_MS = 60_000;

/** Errors: a `Trouble` when a directory cannot be had. */
export function openState(root: string, url: string, key: string): StateDirectory {
  const ofKey = digestOf(`${url}\n${key}`);
  const pointer = join(root, `key-${ofKey}`);
  const nameOf = ({ workspace, sub }: AgentAddress) => `agent-${digestOf(`${url}\n${workspace}\n${sub}`)}`;
  own(root);
  let dir = join(root, readPointer(pointer) ?? ofKey);
  own(dir);
  const adopt = () => {
    const before = join(root, ofKey);
    if (before !== dir && existsSync(before)) moveState(before, dir);
  };

  return {
    root,
    get dir() {
      return dir;
    },
    isOf: (agent) => basename(dir) === nameOf(agent),
    claim(agent, isOwn) {
      const name = nameOf(agent);
      if (basename(dir) === name) return;
      dir = join(root, name);
      own(dir);
      const draft = `${pointer}.${process.pid}.new`;
      writeFileSync(draft, name, { mode: 0o600 });
      renameSync(draft, pointer);
      adopt();
      for (const other of readdirSync(root))
        if (KEY_DIRECTORY.test(other) && other !== ofKey && isOwn(join(root, other))) moveState(join(root, other), dir);
    },
    adopt,
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

function readPointer(path: string): string | undefined {
  try {
    const name = readFileSync(path, "utf8");
    return AGENT_DIRECTORY.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Moves spooled events one by one, because other processes read and write there; other files only if the target does
 * not exist.
 */
function moveState(from: string, to: string): void {
  moveFiles(join(from, "spool"), join(to, "spool"), /\.ndjson$|^lost/);
  moveFiles(join(from, "refused"), join(to, "refused"), /./);
  // The file has neither its date nor its agent: the next call fetches a better one.
  rmSync(join(from, "policy.signed"), { force: true });
  moveFiles(from, to, /^snapshot$/);
  for (const dir of [join(from, "spool"), join(from, "refused"), from]) removeEmpty(dir);
}

function moveFiles(from: string, to: string, names: RegExp): void {
  const found = quietly(() => readdirSync(from)) ?? [];
  const wanted = found.filter((name) => names.test(name) && !existsSync(join(to, name)));
  if (wanted.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 });
  // Another process may be faster.
  for (const name of wanted) quietly(() => renameSync(join(from, name), join(to, name)));
}

function removeEmpty(dir: string): void {
  quietly(() => {
    if (Date.now() - statSync(dir).mtimeMs > EMPTY_FOR_MS) rmdirSync(dir);
  });
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A directory that others could write to would let them choose our policy's age and our reports. */
function own(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const found = lstatSync(dir);
    if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid()))
      throw new Error("it is not a directory of this user");
    if ((found.mode & 0o077) !== 0) chmodSync(dir, 0o700);
  } catch (error) {
    throw new Trouble(`The directory ${dir} cannot be used (${causeOf(error)}). Set QUARTERDECK_HOOK_DIR to another.`);
  }
}
