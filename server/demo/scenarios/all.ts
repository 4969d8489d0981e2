import type { Scenario } from "../scenario.ts";
import { bugfix } from "./bugfix.ts";
import { docs } from "./docs.ts";
import { frontend } from "./frontend.ts";
import { migration } from "./migration.ts";
import { release } from "./release.ts";

/** Every scripted agent. */
export const SCENARIOS: readonly Scenario[] = [bugfix, docs, release, migration, frontend];
