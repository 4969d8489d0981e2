import { createSetRepair, type Rule } from "../rule.ts";

export const fileNotOnServer: Rule = {
  id: "file-not-on-server",
  severity: "warning",
  title: "The command is a file that the server does not have",
  why: "A command hook runs on the server in its own empty directory, without the agent's files. A gate that is not found denies all calls.",
  fix: "Add run_on: agent, or write the script into the policy.",
  firing: {
    policy: `hooks:
  post_tool_use:
    - matcher: edit_file
      hooks:
        - {type: command, command: ./scripts/format.sh}
`,
  },
  silent: {
    policy: `hooks:
  post_tool_use:
    - matcher: edit_file
      hooks:
        - {type: command, command: ./scripts/format.sh, run_on: agent}
`,
  },
  *check({ hooks }) {
    for (const { hook, script, at, runsOn } of hooks) {
      if (!script || runsOn !== "server" || hook.working_dir !== undefined) continue;
      const [first] = script.commands;
      const file = ["sh", "bash", "python3", "python", "node", "."].includes(first?.name ?? "")
        ? first?.words[0]
        : first?.node.name?.value;
      if (first?.node !== script.commands[0]?.node || !/^(?:\.{1,2}|~)\//.test(file ?? "")) continue;
      const repair = createSetRepair([...at, "run_on"], "agent", "Add run_on: agent");
      yield { at: [...at, "command"], message: `${file} is not on the server`, repair };
    }
  },
};
