/** The limits of one isolated command hook, defined only here. The spawner gets them at start. */
const MIB = 1024 * 1024;

export interface RunLimits {
  /**
   * The memory in use by all its processes together. Above it, the hook is ended. A process is never refused memory, because it
   * would then end with its own error.
   */
  readonly memoryBytesMax: number;
  /** The reserved address space of each process. Programs with a garbage collector reserve many times what they use. */
  readonly addressBytesMax: number;
  /** The limit for each process. `timeout` limits the hook as a whole. */
  readonly cpuSecondsMax: number;
  /** The number of simultaneous processes. If a hook has its own user, threads are also limited, to eight for each process. */
  readonly processesMax: number;
  readonly openFilesMax: number;
  readonly fileBytesMax: number;
  /** The limit for its directory and /tmp together, if both are in memory. */
  readonly storageBytesMax: number;
}

export const RUN_LIMITS: RunLimits = {
  memoryBytesMax: 512 * MIB,
  addressBytesMax: 64 * 1024 * MIB,
  cpuSecondsMax: 60,
  processesMax: 64,
  openFilesMax: 256,
  fileBytesMax: 64 * MIB,
  storageBytesMax: 64 * MIB,
};
