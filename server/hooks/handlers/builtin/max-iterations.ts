/** `max_iterations`: ends a run after a number of model calls. The agent sends the number of the call; the builtin does not count. */
import { parseInteger } from "./integer.ts";
import type { Builtin } from "./kind.ts";

export const maxIterations: Builtin = {
  name: "max_iterations",
  run({ input, args, log }) {
    const limit = parseInteger(args[0]);
    const { iteration } = input;
    if (limit === undefined || limit <= 0 || typeof iteration !== "number" || iteration <= limit) return null;
    const reason = `Agent terminated: max_iterations builtin reached its limit of ${limit} model call(s).`;
    log?.(reason);
    return { decision: "block", reason };
  },
};
