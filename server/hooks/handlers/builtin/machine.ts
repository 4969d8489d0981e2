import type { Environment } from "../../engine/ports.ts";

/** What the builtins that run beside an agent must know of its machine; whoever starts them looks it up. */
export interface Machine {
  /** The executor's own environment, for what is not done on behalf of a hook. */
  readonly env: Environment;
  /** Absolute. Where answers too large for the model are put, in a folder of their own. */
  readonly tempDir: string;
  /** Absolute; empty when nobody's. */
  readonly homeDir: string;
  /** A kit's folder inside a sandbox (`DOCKER_AGENT_KIT_DIR`); its prompt files stand in for those of the home. */
  readonly kitDir?: string | undefined;
  /** Absolute. Where snapshots are kept. */
  readonly dataDir: string;
}
