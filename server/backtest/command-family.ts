/** The group of a call by its shell command. */
import { type HookInput, readCall } from "@quarterdeck/hooks";
import { shortName } from "./tally.ts";

/** Programs whose first word after the name says what they do. For others it may be an argument, such as a path. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  ...[
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "cargo",
    "docker",
    "flyctl",
    "gcloud",
    "gh",
    "git",
    "go",
    "helm",
    "kubectl",
  ],
  ...["npm", "pip", "pip3", "pnpm", "podman", "poetry", "systemctl", "terraform", "tofu", "uv", "vercel", "yarn"],
]);

/** The program of a shell command, and its subcommand, such as `git push`. */
export function familyOf(input: HookInput): string {
  const { tool_name, tool_input, cwd } = input;
  const call = readCall({ tool: tool_name ?? "", input: tool_input, place: { workingDirectory: cwd || null } });
  const [first] = call.commands;
  if (!first) return "";
  const words = WITH_SUBCOMMANDS.has(first.program) ? first.subcommands.slice(0, 1) : [];
  return shortName([first.program, ...words].join(" "));
}
