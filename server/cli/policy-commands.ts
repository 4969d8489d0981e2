/** The verbs that read and write policies. */
import type { Command } from "commander";
import { backtestDays, dollarBudget, every, sampledCalls } from "./option-values.ts";
import type { ExportOptions, PublishOptions } from "./policy.ts";
import type { BacktestOptions } from "./policy-backtest.ts";
import type { TestOptions } from "./policy-test.ts";
import { Refusal } from "./refusal.ts";

export function describePolicy(policy: Command): void {
  policy.description("policies by name");
  policy
    .command("publish")
    .description("put a policy's YAML in force; it is made when there is none of this name")
    .argument("<file>", "the YAML file, or - for stdin")
    .requiredOption("--name <name>", "the policy")
    .option("--note <text>", "why, for those who read the history", "")
    .option("--override <rules>", "publish despite findings of these rules, separated by commas; needs --reason")
    .option("--reason <text>", "why the findings are overridden; recorded")
    .action(async (file: string, options: PublishOptions) => (await import("./policy.ts")).publish(file, options));
  policy
    .command("lint")
    .description("say what is wrong with a policy's YAML, and what could be better; needs no server")
    .argument("<file>", "the YAML file, or - for stdin")
    .option("--strict", "warnings are failures too", false)
    .action(async (file: string, { strict }: { strict: boolean }) => (await import("./lint.ts")).lint(file, strict));
  policy
    .command("test")
    .description("hold a policy to its cases: a file with --cases, which needs no server, or --policy on the server")
    .argument("[file]", "the policy's YAML file, or - for stdin")
    .option("--cases <file>", "the file of cases")
    .option("--policy <name>", "a policy on the server, with the cases stored there")
    .option("--live", "what is in force on the server, instead of the draft")
    .option("--junit <file>", "write a JUnit report too")
    .option("--json", "every outcome, for a script")
    .action(async (file: string | undefined, options: TestOptions) =>
      (await import("./policy-test.ts")).test(file, options),
    );
  policy
    .command("backtest")
    .description("run a policy's YAML on recorded calls, and end with 1 if a call would pass that is stopped now")
    .argument("<file>", "the YAML file, or - for stdin; nothing is published and no draft is changed")
    .option("--policy <policy>", "the name or id of the policy; the file's name without its ending when absent")
    .option("--days <number>", "days to read back, at most 90", backtestDays, 7)
    .option("--commands <number>", "run command hooks in the sandbox, on a sample of at most 2000 calls", sampledCalls)
    .option("--judges-budget <dollars>", "ask judges on a sample of the calls, and never spend more", dollarBudget)
    .option("--judges <number>", "the calls of the sample of judges, at most 2000; 200 when absent", sampledCalls)
    .option("--junit <file>", "write a JUnit report too")
    .option("--json", "every count and every looser call, for a script")
    .action(async (file: string, options: BacktestOptions) =>
      (await import("./policy-backtest.ts")).backtest(file, options),
    );
  policy
    .command("export")
    .description("print the YAML in force; of an agent, everything that binds it as docker-agent reads it")
    .argument("[name]", "the policy")
    .option("--agent <name>", "an agent instead of a policy")
    .option(
      "--release <version>",
      "the docker-agent that reads it, as 1.147: the agent's own when absent, else the newest; a policy that would lose a gate is refused",
    )
    .option("--bundle", "with revision, note and sha256, as one file to import elsewhere")
    .action(async (name: string | undefined, options: ExportOptions) =>
      (await import("./policy.ts")).exportAs(name, options),
    );
  policy
    .command("diff")
    .description("say what a policy's YAML would change of what is in force, in meaning and line by line")
    .argument("<name>", "the policy")
    .argument("<file>", "the YAML file, or - for stdin")
    .option("--exit-code", "end with 1 when anything differs", false)
    .action(async (name: string, file: string, { exitCode }: { exitCode: boolean }) => {
      const differs = await (await import("./policy-diff.ts")).diff(name, file);
      if (differs && exitCode) throw new Refusal("");
    });
  const importing = policy
    .command("import")
    .description(
      "make a draft from an agent file, settings, a hooks block or a bundle; nothing is in force before it is published",
    )
    .argument("<file>", "the file, or - for stdin")
    .option("--name <name>", "the policy to make; a bundle has a name of its own")
    .option("--agent <name>", "only this agent of the file");
  for (const flag of ["pre-tool-use", "post-tool-use", "session-start", "session-end", "on-user-input", "stop"])
    importing.option(`--hook-${flag} <command>`, "a hook more, as docker-agent's own flag; may be repeated", every, []);
  importing.action(async (file: string, options: Record<string, string | string[] | undefined>) =>
    (await import("./policy.ts")).importFile(file, options),
  );
}

export function describeImport(command: Command): void {
  command
    .description("print the policy that a client's own hooks and permission rules make, and name what is not in it")
    .argument("<client>", "docker-agent, claude-code, codex, copilot or cursor")
    .argument(
      "<file...>",
      "its settings, one file or several, or - for stdin; nothing of them is run, and no server is needed",
    )
    .option("--json", "the policy and both lists, for a script", false)
    .action(async (client: string, files: string[], { json }: { json: boolean }) =>
      (await import("./import.ts")).importClientFiles(client, files, json),
    );
}
