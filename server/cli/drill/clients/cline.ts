/** The hook that Cline would run: an executable by the name of the event. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { CLIENT_FILES } from "../../../dialects/index.ts";
import { layersOf } from "../configured-hook.ts";
import { type FindHooks, NOTHING } from "./find-hooks.ts";

const TIMEOUT_MS = 60_000;

export const findClineHooks: FindHooks = async (folders, { events: [event] }) => {
  const [folder] = layersOf(folders, CLIENT_FILES.cline);
  const path = `${folder?.path}/${event}`;
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return NOTHING;
  const action = { kind: "executable", path } as const;
  return { hooks: [{ source: path, event, action, timeoutMs: TIMEOUT_MS, blocksOnFailure: false }], notes: [] };
};
