/** The program of `quarterdeck hook`, bundled into one file: node quarterdeck-hook.mjs EVENT < input.json */
import { program } from "./service.ts";

const [node = "", script = "", ...argv] = process.argv;
// biome-ignore lint/style/noProcessEnv: an entry point of its own; the server's environment has other rules
await program(argv, process.env, [node, script]);
