import type { Pack } from "../pack.ts";

export const cloudClis: Pack = {
  id: "cloud-clis",
  version: 5,
  title: "Cloud command lines",
  promise: "Allows reading cloud resources. Changes require approval.",
  denies: "deleting, destroying, terminating and draining, and flags that skip the tool's own confirmation.",
  asks: "every other call of aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, terraform, tofu, pulumi, fly, heroku or vercel not known to be read-only.",
  changes: "",
  passes:
    "describe, get, list, show, status, logs, plan, diff and similar commands; commands that only mention such a tool.",
  limits:
    "It does not see libraries, `curl` to a cloud's API, or scripts: combine it with Network egress. Reading includes `kubectl get secret`: do not give the agent's account this right.",
  source: `# Looking is free. Changing is asked for. Deleting is refused.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: cloud command lines
          type: rules
          rules:
            - deny: Nothing in the cloud is deleted from here. Say what should go, and why.
              command: { program: [aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, terraform, tofu, pulumi, flyctl, fly, heroku, vercel], argument: ["delete*", "destroy*", "terminate*", "purge*", "drain*", "rb", "uninstall*", "deprovision*", "*-delete", "*:destroy"] }
            - deny: Skipping the tool's own question is not for an agent.
              any:
                - command: { program: [terraform, tofu, terragrunt, pulumi], flags: [auto_approve] }
                - command: { program: [aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, flyctl, fly, heroku, vercel], flags: [force] }
                - command: { program: [aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, flyctl, fly, heroku, vercel], flags: ["yes"] }
            - ask: "This may change something in the cloud: a person decides."
              any:
                - command: { program: [aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, terraform, tofu, pulumi, flyctl, fly, heroku, vercel], argument: ["create*", "update*", "set", "set-*", "put*", "apply*", "add*", "remove*", "deploy*", "run*", "start*", "stop*", "restart*", "scale*", "patch*", "edit*", "exec", "import*", "up", "cp", "mv", "sync"] }
                - command: { program: [aws, gcloud, gsutil, az, doctl, oci, kubectl, oc, helm, terraform, tofu, pulumi, flyctl, fly, heroku, vercel], without_argument: ["describe*", "get*", "list*", "ls", "show*", "status*", "version", "help", "plan", "validate", "fmt", "logs", "explain", "diff", "top", "template", "lint", "preview", "head*"] }
`,
};
