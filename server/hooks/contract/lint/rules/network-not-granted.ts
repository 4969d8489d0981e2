import { createSetRepair, type Rule } from "../rule.ts";
import type { Script } from "../shell/script.ts";

export const networkNotGranted: Rule = {
  id: "network-not-granted",
  severity: "warning",
  title: "The command has no network access",
  why: "In the server's sandbox, a command hook has no network unless the policy allows it. Every connection fails.",
  fix: "Add network: true, or run the hook on the agent's machine.",
  firing: {
    policy: `hooks:
  session_end:
    - {type: command, command: curl -s https://ci.example.com/done}
`,
  },
  silent: {
    policy: `hooks:
  session_end:
    - {type: command, command: curl -s https://ci.example.com/done, network: true}
`,
  },
  *check({ hooks }) {
    for (const { hook, script, at, runsOn } of hooks) {
      if (!script || runsOn !== "server" || hook.network !== undefined) continue;
      const name = networkCommand(script);
      if (name === undefined) continue;
      const repair = createSetRepair([...at, "network"], true, "Add network: true");
      yield { at: [...at, "command"], message: `${name} has no network in the server's sandbox`, repair };
    }
  },
};

const CLIENTS = new Set(["curl", "wget", "ssh", "scp", "nc", "ncat", "dig", "nslookup", "aws", "gcloud", "az", "gh"]);

function networkCommand({ commands, inner }: Script): string | undefined {
  const here = commands.find(({ name }) => CLIENTS.has(name))?.name;
  return here ?? inner.map(({ script }) => networkCommand(script)).find((name) => name !== undefined);
}
