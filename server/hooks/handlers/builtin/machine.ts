import type { Environment } from "../../engine/ports.ts";

/** The facts that the builtins beside an agent need about its machine; whoever starts them looks them up. */
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
