#!/usr/bin/env node
/**
 * The program of the npm package. Without a verb, or with `start`, it runs the server; any other verb is one of the command line.
 *
 *     npx quarterdeck [start] [--demo] [--role gateway|console|jobs]
 *     npx quarterdeck sign-in
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [verb, ...rest] = process.argv.slice(2);
process.env.QUARTERDECK_COMMAND ??= commandLine();
const isServer =
  verb === undefined || verb === "start" || (verb.startsWith("--") && verb !== "--help" && verb !== "--version");

// A package manager replaces the package's folder with each version, so the data is in the person's own.
process.env.QUARTERDECK_DATA_DIR ??= join(homedir(), ".quarterdeck");

if (isServer) {
  process.env.QUARTERDECK_BUILD = "build/pages";
  process.chdir(root);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...(verb === "start" ? rest : process.argv.slice(2)));
  await import(new URL("../build/programs/main.mjs", import.meta.url).href);
} else {
  try {
    await import(new URL("../build/programs/command-line.mjs", import.meta.url).href);
  } catch (error) {
    console.error(`quarterdeck: ${error.message}`);
    // A hook that ends otherwise than with 0 or 2 has no opinion for some agents; a gate that crashed must not.
    process.exit(verb === "hook" ? 2 : 1);
  }
}

/** The words before a verb, as npm says that this program was started: with npx, of a file or by name, or installed. */
function commandLine() {
  if (process.env.npm_command !== "exec") return "quarterdeck";
  const named = process.env.npm_config_package ?? "";
  if (!/^[\w.:/@+-]+$/.test(named)) return "npx quarterdeck";
  return `npx --package ${existsSync(named) ? resolve(named) : named} quarterdeck`;
}
