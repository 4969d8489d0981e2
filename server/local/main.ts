/** The program of `quarterdeck hook`, bundled into one file: node quarterdeck-hook.mjs EVENT < input.json */
import { hook } from "./service.ts";

const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => ending.abort());

const [file = "", script = ""] = process.argv;
const { code, stdout, stderr } = await hook(process.argv.slice(2), {
  // biome-ignore lint/style/noProcessEnv: an entry point of its own; the server's environment has other rules
  env: process.env,
  workingDir: process.cwd(),
  stdin: process.stdin,
  now: Date.now,
  signal: ending.signal,
  flushCommand: [file, script, "--flush"],
});
process.exitCode = code;
process.stderr.write(stderr);
process.stdout.write(stdout);
