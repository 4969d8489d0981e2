/** A program that loads a plugin as opencode does and makes one of its callbacks, in a process of its own. */

export interface PluginCall {
  readonly path: string;
  readonly callback: string;
  readonly directory: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The port for the plugin's requests when the console must be unreachable. */
  readonly closedPort: number | null;
}

/** Prints `thrown`, `returned` or, for a plugin that cannot be loaded or has no such callback, `absent`. */
export const HOST_PROGRAM = `
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
const { path, callback, directory, input, output, closedPort } = JSON.parse(await text(process.stdin));
if (closedPort !== null) {
  const real = globalThis.fetch;
  globalThis.fetch = (url, init) => real("http://127.0.0.1:" + closedPort + new URL(url).pathname, init);
}
const say = (word) => process.stdout.write("\\n" + word, () => process.exit(0));
let made;
try {
  const plugin = await import(pathToFileURL(path).href);
  made = await Promise.all(
    Object.values(plugin).filter((one) => typeof one === "function").map((make) => make({ directory, worktree: directory })),
  );
} catch {
  made = [];
}
const callbacks = made.map((hooks) => hooks?.[callback]).filter((one) => typeof one === "function");
let word = callbacks.length === 0 ? "absent" : "returned";
for (const call of callbacks) {
  try {
    await call(input, output);
  } catch {
    word = "thrown";
  }
}
say(word);
`;
