/** The limits of one isolated command hook. The one place that says it; the spawner gets them at start. */
const MIB = 1024 * 1024;

export interface RunLimits {
  /** All its processes together, as they use it; past it the hook is ended. A process is never refused memory: it would end in its own words. */
  readonly memoryBytesMax: number;
  /** Reserved, not used: programs with a garbage collector reserve many times what they need. Each process. */
  readonly addressBytesMax: number;
  /** Each process; a hook's time as a whole is its `timeout`. */
  readonly cpuSecondsMax: number;
  /** At once. Threads are bounded too where a hook runs as a user of its own, at eight for each process. */
  readonly processesMax: number;
  readonly openFilesMax: number;
  readonly fileBytesMax: number;
  /** Its directory and its /tmp together, where both are in memory. */
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
