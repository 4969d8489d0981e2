/**
 * The command way of the dialects without a process or a console: the verb itself, with a judge whose answer the caller
 * sets.
 */
import { Readable } from "node:stream";
import type { Delivered, Way } from "../../dialects/index.ts";
import type { World } from "../call.ts";
import { dialectHook } from "../dialect-hook.ts";
import { decideLocally } from "../dialect-source.ts";

/** The fields that are added to the payload when an event without a native counterpart is recorded. */
const NOTICE = ["notification_level", "notification_message"];

export const commandWay: Way = {
  name: "command",
  async deliver({ dialect, event, payload, interactive, output }): Promise<Delivered> {
    let input: Record<string, unknown> = {};
    const judged = decideLocally(() => ({
      findConcerned: async () => null,
      async judge(_stage, asked) {
        input = JSON.parse(JSON.stringify(asked));
        return { output };
      },
      async record(notice) {
        const told = Object.entries(notice).filter(([field]) => !NOTICE.includes(field));
        input = { ...Object.fromEntries(told), hook_event_name: null };
      },
    }));
    const world: World = {
      env: {},
      workingDir: ".",
      stdin: Readable.from([Buffer.from(JSON.stringify(payload))]),
      now: Date.now,
      signal: new AbortController().signal,
      runningMs: () => 0,
      flushCommand: [],
    };
    const argv = ["--dialect", dialect, event, ...(interactive ? ["--interactive"] : [])];
    const { code, stdout, stderr } = await dialectHook(argv, world, judged);
    if (code !== 0 || stderr !== "") throw new Error(`it ended with ${code}: ${stderr}`);
    return { input, body: JSON.parse(stdout) };
  },
};
