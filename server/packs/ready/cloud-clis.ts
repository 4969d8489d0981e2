import { SHELL_TOOLS, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = String.raw`
cloud='(aws|gcloud|gsutil|az|doctl|oci|kubectl|oc|helm|terraform|tofu|pulumi|flyctl|fly|heroku|vercel)([[:space:]]|$)'
when deny "$cloud"'(.*[[:space:]])?([a-z-]*-)?(delete|destroy|terminate|purge|drain|rb|uninstall|deprovision)(-[a-z-]+)?([[:space:]]|$)' "Nothing in the cloud is deleted from here. Say what should go, and why."
when deny "$cloud"'(.*[[:space:]])?--(force|auto-approve|yes)([[:space:]=]|$)' "Skipping the tool's own question is not for an agent."
when ask "$cloud"'(.*[[:space:]])?(create|update|set|put|apply|add|remove|deploy|run|start|stop|restart|scale|patch|edit|exec|import|up)(-[a-z-]+)?([[:space:]]|$)' "This may change something in the cloud: a person decides."
# Of the rest, what only reads goes on, and a person is asked about what is left.
reads='([a-z-]+-)?(describe|get|list|ls|show|status|version|help|plan|validate|fmt|logs|explain|diff|top|template|lint|preview|head)(-[a-z-]+)?'
word='[[:space:]]+[a-z0-9-]+'
text=$(printf '%s\n' "$text" | LC_ALL=C grep -Ev -e "$at(aws|gcloud|az|doctl|oci)($word)?($word)?($word)?[[:space:]]+$reads([[:space:]]|$)" \
  -e "$at(aws|gcloud|az|doctl|oci)[[:space:]]+$reads([[:space:]]|$)" \
  -e "$at(kubectl|oc|helm|terraform|tofu|pulumi|flyctl|fly|heroku|vercel|gsutil)([[:space:]]+--?[a-z-]+[= ][^[:space:]]+)*[[:space:]]+$reads([[:space:]]|$)")
[ $? -le 1 ] || say deny "The call could not be judged, so it is refused."
when ask "$cloud" "This may change something in the cloud: a person decides."
`;

export const cloudClis: Pack = {
  id: "cloud-clis",
  title: "Cloud command lines",
  version: 3,
  promise: "An agent may look around in the cloud, and a person decides what changes there.",
  denies: "deleting, destroying, terminating and draining, and flags that answer the tool's own question.",
  asks: "every other call of aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, terraform, tofu, pulumi, fly, heroku or vercel that is not known to only read.",
  changes: "",
  passes: "describe, get, list, show, status, logs, plan, diff and the like; commands that only name such a tool.",
  limits:
    "Libraries, `curl` to a cloud's API and scripts are not seen; pair it with network egress. Reading includes `kubectl get secret`: keep such rights from the agent's account. A harmless call with options in unusual places is asked about.",
  source: `# Looking is free. Changing is asked for. Deleting is refused.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: cloud command lines
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, shellGateScript(RULES))}
`,
};
