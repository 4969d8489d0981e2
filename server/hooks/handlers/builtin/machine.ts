import type { Environment } from "../../engine/ports.ts";

/** The facts about the agent's machine that local builtins need. The caller that starts them supplies these facts. */
export interface Machine {
  /** The executor's own environment, for work that is not on behalf of a hook. */
  readonly env: Environment;
  /** Absolute. The parent of the folder for results that are too large for the model. */
  readonly tempDir: string;
  /** Absolute; empty if there is no home. */
  readonly homeDir: string;
  /** A kit's folder inside a sandbox (`DOCKER_AGENT_KIT_DIR`); its prompt files replace those of the home. */
  readonly kitDir?: string | undefined;
  /** Absolute. The location of snapshots. */
  readonly dataDir: string;
}
