import { APPLICATIONS } from "./applications.ts";
import { DOCKER } from "./docker.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import type { DestructiveRow } from "./row.ts";

/** Every destructive row. The first of several equal matches counts. */
export const DESTRUCTIVE: readonly DestructiveRow[] = [...FILES, ...GIT, ...DOCKER, ...APPLICATIONS];
