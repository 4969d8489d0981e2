import { APPLICATIONS } from "./applications.ts";
import { DOCKER } from "./docker.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import type { DestructiveRow } from "./row.ts";

/** Every destructive row. Of those that match alike the earlier one counts. */
export const DESTRUCTIVE: readonly DestructiveRow[] = [...FILES, ...GIT, ...DOCKER, ...APPLICATIONS];
