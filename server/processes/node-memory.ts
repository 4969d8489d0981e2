/**
 * Memory settings of a node's processes: the defaults of V8 and glibc are for a process that has the machine for itself
 * (docs/adr/0105-a-nodes-processes-share-its-memory.md).
 */
import type { ProcessKind } from "../platform/node-state.ts";

const SETTING = "--max-semi-space-size";
/**
 * MiB of each half of V8's heap for young objects. It grows to its limit while a process loads, and stays. The gateway has
 * V8's default, so that a collection rarely falls into a call. With 4 MiB, collections took a sixth of the console's time
 * while ten viewers looked on.
 */
const SEMI_SPACE_MIB: Readonly<Record<ProcessKind, number | null>> = { gateway: null, console: 8, jobs: 4, scans: 4 };

/** Node's arguments for a process. A setting in NODE_OPTIONS wins. */
export function nodeArguments(role: ProcessKind, nodeOptions = ""): readonly string[] {
  const mib = SEMI_SPACE_MIB[role];
  return mib === null || nodeOptions.includes(SETTING) ? [] : [`${SETTING}=${mib}`];
}

/**
 * glibc keeps the freed memory of each thread in an arena, up to eight for each processor. Two are enough for threads that
 * mostly collect and compile.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: "2" };
