/** The ways in which a client's hooks ask: by the relay of its enrolment, and by the program. */
import { fileURLToPath } from "node:url";
import type { Enrolled, GenuineClient } from "./clients.ts";

const HOOK_PROGRAM = fileURLToPath(new URL("../../dist/quarterdeck-hook.mjs", import.meta.url));

export interface Way {
  readonly name: string;
  /** Its commands in the place of those that the enrolment wrote; null where those are kept. */
  readonly commandOf: (client: GenuineClient, url: string) => Enrolled["commandOf"];
}

export const WAYS: readonly Way[] = [
  { name: "relay", commandOf: () => null },
  {
    name: "hook --dialect",
    commandOf: ({ dialect }, url) => {
      const program = `QUARTERDECK_URL=${url} '${process.execPath}' '${HOOK_PROGRAM}'`;
      return (event) => `${program} --dialect ${dialect} --key-file "$HOME/.config/quarterdeck/header" ${event}`;
    },
  },
];
