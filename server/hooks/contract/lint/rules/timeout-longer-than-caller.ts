import { canRefuse, clientTimeouts } from "../../client-timeouts.ts";
import { createSetRepair, type Rule } from "../rule.ts";

export const timeoutLongerThanCaller: Rule = {
  id: "timeout-longer-than-caller",
  severity: "warning",
  title: "The hook's timeout is longer than its caller waits",
  why: "The enrolment snippet has its own deadline. After it, the answer is dropped. The rule gate-longer-than-caller checks gates.",
  fix: "Use a shorter timeout, or run the hook on the agent's machine.",
  firing: {
    policy: `hooks:
  turn_start:
    - {type: command, command: uptime, timeout: 300}
`,
  },
  silent: {
    policy: `hooks:
  turn_start:
    - {type: command, command: uptime, timeout: 20}
`,
  },
  *check({ hooks }) {
    for (const { hook, entry, at, runsOn } of hooks) {
      const { curl } = clientTimeouts(entry.contract);
      if (canRefuse(entry.contract)) continue;
      if (runsOn !== "server" || !hook.timeout || hook.timeout <= curl) continue;
      const place = [...at, "timeout"];
      const message = `${hook.timeout} s is more than the ${curl} s an agent waits on ${entry.event}`;
      yield { at: place, message, repair: createSetRepair(place, curl - 5, `Write ${curl - 5}`) };
    }
  },
};
