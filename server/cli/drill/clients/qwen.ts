/** The hooks that Qwen Code would run. */
import { CLIENT_FILES } from "../../../dialects/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { readLayers } from "../settings-file.ts";
import { type FindHooks, findInFiles } from "./find-hooks.ts";

/** A number below counts seconds, another one milliseconds. */
const MILLISECONDS_FROM = 1_000;
const toMs = (timeout: number): number => (timeout < MILLISECONDS_FROM ? timeout * 1_000 : timeout);

export const findQwenHooks: FindHooks = async (folders, probe, environment) =>
  findInFiles(await readLayers(CLIENT_FILES.qwen, folders), (file) =>
    claudeHooksOf(file, probe, { environment, toMs, hasHttp: true }),
  );
