/** The hook that Cline would run: an executable by the name of the event. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { FindHooks } from "./find-hooks.ts";

const TIMEOUT_MS = 60_000;

export const findClineHooks: FindHooks = async ({ home }, { events: [event] }) => {
  const path = `${home}/.cline/hooks/${event}`;
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return { hooks: [], notes: [] };
  return {
    hooks: [
      { source: path, event, action: { kind: "executable", path }, timeoutMs: TIMEOUT_MS, blocksOnFailure: false },
    ],
    notes: [],
  };
};
