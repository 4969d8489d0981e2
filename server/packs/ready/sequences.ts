import type { Pack } from "../pack.ts";

export const sequences: Pack = {
  id: "sequences",
  version: 2,
  title: "Sequences",
  promise: "Checks calls against earlier calls of the session.",
  denies: "reaching a host that is not on the list, or an upload, within an hour after the session read credentials.",
  asks: "actions visible to others (pushes, releases, messages, cloud changes) within half an hour after the session fetched external text.",
  changes: "",
  passes:
    "every call of a session that neither read credentials nor fetched external text, and every call that stays on the machine.",
  limits:
    "It does not track data: reading a credential counts as much as copying it. A credential from another source leaves no mark.",
  source: `# What a session did before decides what it may do next.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: sequences
          type: rules
          rules:
            - mark: read_credentials
              path: { access: read, class: credentials }
            - mark: fetched_text
              any:
                - kind: fetch
                - command: { program: [curl, wget, http, https, xh, lynx, w3m] }
                - mcp: { tool: ["*fetch*", "*browse*", "*search*", "*read_email*", "*get_message*", "*list_messages*", "*get_issue*", "*read_page*"] }
            # Hosts that are asked nothing about: edit this list.
            - deny: This session read credentials. It reaches no new host for an hour.
              after: read_credentials
              within: 1h
              any:
                - host: { not: [localhost, 127.0.0.1, github.com, registry.npmjs.org, pypi.org] }
                - command: { program: [curl, wget, invoke-webrequest, invoke-restmethod], flags: [upload] }
                - command: { program: [nc, ncat, netcat, socat, telnet, ftp, sftp, scp, rsync, ssh] }
                - mcp: { tool: ["*send*", "*post*", "*upload*", "*create_comment*", "*publish*"] }
            - ask: "This session fetched text from outside, and this act is seen by others: a person decides."
              after: fetched_text
              within: 30m
              any:
                - command: { program: git, subcommand: push }
                - command: { program: [npm, pnpm, yarn, cargo, gem, twine], subcommand: [publish, push, upload] }
                - command: { program: gh, subcommand: [pr create, pr merge, release create, repo delete, issue comment, pr comment] }
                - command: { program: [aws, gcloud, az, kubectl, terraform, helm], argument: ["create*", "delete*", "apply*", "put*", "update*", "set*", "run*", "destroy*"] }
                - mcp: { tool: ["*send*", "*post*", "*delete*", "*create*", "*update*", "*merge*", "*invite*", "*transfer*", "*pay*"] }
`,
};
