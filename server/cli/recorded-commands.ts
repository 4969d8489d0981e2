/** The verbs that run recorded cases and sessions. */
import { PROFILES } from "@quarterdeck/hooks/contract/profiles";
import { type Command, Option } from "commander";
import { speed } from "./option-values.ts";
import { Refusal } from "./refusal.ts";

export function describeRecorded(top: Command): void {
  top
    .command("conformance")
    .description("run conformance cases against this executor; needs no server")
    .argument("[file...]", "case files")
    .option("--dialects <directory>", "run the vectors of the agents' dialects in this directory instead")
    .addOption(new Option("--profile <profile>", "only this profile").choices(PROFILES))
    .action(async (files: string[], { profile, dialects }: { profile?: string; dialects?: string }) => {
      if (dialects !== undefined) return (await import("./dialect-conformance.ts")).dialectConformance(dialects);
      if (files.length === 0) throw new Refusal("Name at least one case file, or --dialects and a directory.", 2);
      return (await import("./conformance.ts")).conformance(files, profile);
    });

  top
    .command("replay")
    .description("send recorded sessions; repeating a replay stores nothing twice")
    .argument("<file...>", "session files, a JSON line per event")
    .requiredOption("--key <key>", "the agent's key")
    .addOption(
      new Option("--as <way>", "dispatch: each line to its hook; report: in batches, as having happened")
        .choices(["dispatch", "report"])
        .default("dispatch"),
    )
    .option("--speed <n>", "so many times as fast as it was recorded, or max", speed, Number.POSITIVE_INFINITY)
    .action(async (files: string[], options: { key: string; as: "dispatch" | "report"; speed: number }) =>
      (await import("./replay/replay.ts")).replay(files, options),
    );
}
