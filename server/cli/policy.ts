import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { publishedView } from "../policies/schema.ts";
import { Refusal } from "./refusal.ts";
import { ask, Refused, tell } from "./server.ts";

/** Publishes the YAML in `file` and says what is in force now; each problem is printed at its line. */
export async function publish(file: string, name: string, note: string): Promise<void> {
  const source = await read(file);
  try {
    const published = await tell("policies.publishByName", { name, source, note }, publishedView);
    const { number, sha256, agents } = published;
    const whom = agents === 1 ? "1 agent" : `${agents} agents`;
    process.stdout.write(`${published.name} revision ${number} is in force for ${whom} (sha256 ${sha256})\n`);
  } catch (error) {
    if (!(error instanceof Refused) || error.problems.length === 0) throw error;
    const shown = file === "-" ? "stdin" : file;
    for (const { path, message, line, column } of error.problems)
      process.stderr.write(`${shown}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}\n`);
    throw new Refusal("The policy has errors and was not published.");
  }
}

/** Prints the text in force, byte for byte. */
export async function exportByName(name: string): Promise<void> {
  process.stdout.write(await ask("policies.exportByName", { name }, z.string()));
}

async function read(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Refusal(`${file} cannot be read${why}.`);
  });
}
