/** Quarterdeck's own builtins as the target of the cases. */
import type { EventName } from "../contract/events.ts";
import { AVAILABLE_BUILTINS, agentBuiltins, builtinKind, type HookInput, hookInput } from "../index.ts";
import type { BuiltinTarget } from "./builtin-runner.ts";

const PLACE = { origin: {}, path: "hooks", name: "" };

export const ourBuiltins: BuiltinTarget = {
  offers: (builtin) => AVAILABLE_BUILTINS.includes(builtin),
  create({ env, tmp, home, data, cwd }, profile) {
    const machine = { env, tempDir: tmp, homeDir: home, dataDir: data };
    const { builtins, snapshots } = agentBuiltins(machine);
    const kind = builtinKind(builtins);
    return {
      async call(command, event, input, args) {
        const handler = kind.build({ type: "builtin", command, args: [...args] }, PLACE);
        const read: HookInput = hookInput.parse(input);
        const call = {
          event: event as EventName,
          lane: "default",
          profile,
          input: read,
          env,
          workingDir: cwd,
        } as const; // holds: cases name events
        const inputJson = JSON.stringify(input);
        const reply = await handler.run(
          { ...call, inputJson, timeoutMs: 60_000, note() {} },
          new AbortController().signal,
        );
        if (reply.kind === "answered") return reply.output;
        throw new Error(reply.kind === "failed" ? reply.message : "a builtin has no process");
      },
      async operate(op, sessionId, keep) {
        if (op === "snapshot_list") return { files: await snapshots.list(sessionId) };
        return op === "snapshot_undo" ? snapshots.undo(sessionId) : snapshots.reset(sessionId, keep);
      },
    };
  },
};
