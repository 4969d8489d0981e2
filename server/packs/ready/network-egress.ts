import type { Pack } from "../pack.ts";

export const networkEgress: Pack = {
  id: "network-egress",
  version: 5,
  title: "Network egress",
  promise: "Blocks uploads from the shell and asks before new hosts are contacted.",
  denies:
    "uploads with curl and wget, netcat, socat, scp, sftp, remote rsync, `/dev/tcp`; for every tool, the metadata addresses of cloud machines.",
  asks: "downloads from hosts that are not on the list, and ssh.",
  changes: "",
  passes: "downloads from the listed hosts (one line of the policy), and everything without a network command.",
  limits:
    "A download can send data in its address. It does not see programs that use the network themselves (git, npm, python, a test) or names built at run time. Use a firewall as well.",
  source: `# Uploads are refused, unknown hosts asked about.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: network egress
          type: rules
          rules:
            - deny: This address hands out a machine's own credentials.
              host: { class: metadata }
            - deny: Nothing is uploaded from here.
              command: { program: [curl, wget, invoke-webrequest, invoke-restmethod], flags: [upload] }
            - deny: Nothing is sent to another machine from here.
              any:
                - command: { program: [nc, ncat, netcat, socat, telnet, ftp, sftp, scp] }
                - command: { program: rsync, host: {} }
                - path: { path: ["/dev/tcp/**", "/dev/udp/**"] }
            - ask: "This may reach another host than its address names: a person decides."
              command: { program: curl, flags: [other_host] }
            - ask: "This opens a shell on another machine: a person decides."
              command: { program: [ssh, mosh] }
            - ask: "This reaches a host that is not on the list: a person decides."
              command: { program: [curl, wget, http, https, aria2c, xh, lynx, links, elinks, w3m, invoke-webrequest, invoke-restmethod], host: { not: [localhost, 127.0.0.1, github.com, registry.npmjs.org, pypi.org] } }
`,
};
