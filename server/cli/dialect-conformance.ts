import { runDialectVectors } from "../dialects/index.ts";
import { httpWay } from "../dispatches/dialect-way/index.ts";
import { commandWay } from "../local-executor/index.ts";
import { print } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** The vectors of a directory against the dialects, through both ways in. The last line counts. */
export async function dialectConformance(directory: string): Promise<void> {
  const results = await runDialectVectors(directory, [httpWay, commandWay]);
  const count = (state: string) => results.filter((one) => one.state === state).length;
  for (const { id, state, detail } of results) if (state === "failed") print(`FAIL ${id}: ${detail}\n`);
  print(`conformance: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`);
  if (count("failed") > 0) throw new Refusal("");
}
