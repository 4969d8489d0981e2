/** The verbs of the command line. Each is loaded when it is asked for. */
import { Command } from "commander";
import { describeConnect } from "./connect-command.ts";
import { describeDrill } from "./drill/command.ts";
import { describeEnrol } from "./enrol/command.ts";
import { describeHalts } from "./halt-commands.ts";
import { describeInstallation } from "./installation-commands.ts";
import { describeInventory } from "./inventory/command.ts";
import { describeJoin } from "./join-command.ts";
import { describeLogins } from "./login/command.ts";
import { describeMcp } from "./mcp/command.ts";
import { describeImport, describePolicy } from "./policy-commands.ts";
import { describeAudit, describeVerify } from "./record-commands.ts";
import { describeRecorded } from "./recorded-commands.ts";
import { describeStream } from "./stream-commands.ts";

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
  describeInventory(top.command("inventory"));
  describeMcp(top.command("mcp"));

  describeJoin(top.command("join"));
  describeConnect(top.command("connect"));
  describeLogins(top);
  describeHalts(top);
  describePolicy(top.command("policy"));
  describeImport(top.command("import"));
  describeAudit(top.command("audit"));
  describeVerify(top.command("verify"));
  describeStream(top.command("stream"));
  describeRecorded(top);
  describeInstallation(top);

  for (const [verb, says] of [
    ["snapshots [session]", "list what the builtin snapshot kept beside an agent"],
    ["undo <session>", "take the newest snapshot of a session back; with --keep COUNT all but the oldest COUNT"],
  ] as const)
    top
      .command(verb)
      .description(`${says}; options as in hook --help`)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async (_session, _options, command: Command) =>
        (await import("./hook.ts")).hook([`--${command.name()}`, ...command.args]),
      );

  top
    .command("hook")
    .description("decide one hook event beside its agent: the input on stdin, hook output on stdout")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments();

  return top;
}
