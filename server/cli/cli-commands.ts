/** The verbs of the command line. Each is loaded when it is asked for. */
import { Command, InvalidArgumentError, Option } from "commander";
import { describeDrill } from "./drill/command.ts";
import { describeEnrol } from "./enrol/command.ts";
import type { HaltOptions } from "./halts.ts";
import { describeJoin } from "./join-command.ts";
import { describeMcp } from "./mcp/command.ts";
import type { TestOptions } from "./policy-test.ts";
import { Refusal } from "./refusal.ts";

export function createCommandLine(): Command {
  const top = new Command("quarterdeck")
    .description("Talks to a running Quarterdeck: QUARTERDECK_URL, else this machine and PORT (3000).")
    .addHelpText(
      "after",
      "\nTrusted through QUARTERDECK_TOKEN, else the admin-token file of QUARTERDECK_DATA_DIR (.quarterdeck).",
    )
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

  const key = top.command("key").description("keys of agents");
  key
    .command("create")
    .description("make a key and print it alone; the agent is made when there is none of this name")
    .requiredOption("--agent <name>", "whose key")
    .action(async ({ agent }: { agent: string }) => (await import("./key.ts")).create(agent));

  top
    .command("sign-in")
    .description("print a new one-time link that signs a browser in as the administrator")
    .action(async () => (await import("./sign-in-link.ts")).printSignInLink());

  describeEnrol(top.command("enrol"));
  describeDrill(top.command("drill"));
  describeMcp(top.command("mcp"));

  describeJoin(top.command("join"));

  const scoped = (command: Command) =>
    command
      .option("--workspace", "everything in the workspace")
      .option("--group <name>", "the agents of a group")
      .option("--agent <name>", "one agent")
      .option("--session <id>", "only this session of the agent")
      .requiredOption("--reason <text>", "why; every agent that is halted answers with it");
  scoped(top.command("halt").description("stop agents at once: every gate of theirs denies; prints the halt's id"))
    .option("--quarantine", "until a person has reviewed the agent", false)
    .action(async (options: HaltOptions) => (await import("./halts.ts")).halt(options));
  scoped(top.command("resume").description("end a halt, by its id or by what it halted"))
    .argument("[id]", "the halt")
    .action(async (id: string | undefined, options: HaltOptions) => (await import("./halts.ts")).resume(id, options));

  const policy = top.command("policy").description("policies by name");
  policy
    .command("publish")
    .description("put a policy's YAML in force; it is made when there is none of this name")
    .argument("<file>", "the YAML file, or - for stdin")
    .requiredOption("--name <name>", "the policy")
    .option("--note <text>", "why, for those who read the history", "")
    .action(async (file: string, { name, note }: { name: string; note: string }) =>
      (await import("./policy.ts")).publish(file, name, note),
    );
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
    .command("export")
    .description("print the YAML in force; of an agent, everything that binds it as docker-agent reads it")
    .argument("[name]", "the policy")
    .option("--agent <name>", "an agent instead of a policy")
    .option("--bundle", "with revision, note and sha256, as one file to import elsewhere")
    .action(async (name: string | undefined, options: { agent?: string; bundle?: boolean }) =>
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
  const every = (value: string, before: string[]) => [...before, value];
  for (const flag of ["pre-tool-use", "post-tool-use", "session-start", "session-end", "on-user-input", "stop"])
    importing.option(`--hook-${flag} <command>`, "a hook more, as docker-agent's own flag; may be repeated", every, []);
  importing.action(async (file: string, options: Record<string, string | string[] | undefined>) =>
    (await import("./policy.ts")).importFile(file, options),
  );

  top
    .command("import")
    .description("print the policy that a client's own hooks and permission rules make, and name what is not in it")
    .argument("<client>", "claude-code, codex, copilot or cursor")
    .argument("<file>", "its settings, or - for stdin; nothing of it is run, and no server is needed")
    .option("--json", "the policy and both lists, for a script", false)
    .action(async (client: string, file: string, { json }: { json: boolean }) =>
      (await import("./import.ts")).importClientFile(client, file, json),
    );

  const audit = top.command("audit").description("the record of who did what, and its proof");
  audit
    .command("export")
    .description("print the record as JSON lines that prove themselves")
    .option("--from <seq>", "the first entry", entryNumber)
    .option("--to <seq>", "the last entry", entryNumber)
    .option("--dispatches", "the dispatches of these entries too", false)
    .action(async (options: { from?: number; to?: number; dispatches: boolean }) =>
      (await import("./audit.ts")).exportRecord(options),
    );
  audit
    .command("verify")
    .description("say whether anything was altered, and whether anything is missing; of a file without any server")
    .argument("[file]", "an export; without one, the record of the running server")
    .option("--key <file>", "a public key to trust, in PEM; may be repeated", every, [])
    .option("--checkpoint <file>", "checkpoints that were kept outside; may be repeated", every, [])
    .option("--json", "the whole report, for a script", false)
    .option("--resume <file>", "keep the place in this file, and go on from it after an interruption")
    .action(
      async (
        file: string | undefined,
        options: { key: string[]; checkpoint: string[]; json: boolean; resume?: string },
      ) => (await import("./audit.ts")).verify(file, options),
    );
  audit
    .command("keys")
    .description("print the public keys that checkpoints are verified with")
    .action(async () => (await import("./audit.ts")).printCheckpointKeys());

  const verify = top.command("verify").description("what is derived, held against what it is derived from");
  verify
    .command("projections")
    .description("compute all figures anew from the log and name every stored row that is another one")
    .option("--month <month>", "only this month, such as 2026-11")
    .option("--workspace <id>", "another workspace than the first")
    .option("--json", "the whole result, for a script", false)
    .action(async (options: { month?: string; workspace?: string; json: boolean }) =>
      (await import("./verify.ts")).projections(options),
    );

  top
    .command("conformance")
    .description("run conformance cases against this executor; needs no server")
    .argument("[file...]", "case files")
    .option("--dialects <directory>", "run the vectors of the agents' dialects in this directory instead")
    .addOption(new Option("--profile <profile>", "only this profile").choices(["2026-07", "2026-08"]))
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

  top
    .command("stats")
    .description("everything stored, counted")
    .option("--json", "every count of every session, for a script")
    .action(async ({ json }: { json?: boolean }) => (await import("./stats.ts")).stats(json === true));

  top
    .command("doctor")
    .description("look for what is wired wrongly, and say what to do; exits with 1 when something must be done")
    .option("--json", "every finding, for a script")
    .action(async ({ json }: { json?: boolean }) => (await import("./doctor.ts")).doctor(json === true));

  top
    .command("backup")
    .description("write the whole installation, as of this instant, into one file")
    .argument("<file>", "a file that is not there yet")
    .option("--without-secrets", "leave out the keys of the data directory", false)
    .action(async (file: string, { withoutSecrets }: { withoutSecrets: boolean }) =>
      (await import("./backup.ts")).backup(file, withoutSecrets),
    );
  top
    .command("restore")
    .description("put a backup into an empty QUARTERDECK_DATA_DIR (and DATABASE_URL), and prove that it is the same")
    .argument("<file>", "what backup wrote")
    .action(async (file: string) => (await import("./backup.ts")).restore(file));

  top
    .command("hook")
    .description("decide one hook event beside its agent: the input on stdin, hook output on stdout")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments();

  return top;
}

function entryNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give an entry's number.");
}

function speed(text: string): number {
  if (text === "max") return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Give a number above 0, or max.");
}
