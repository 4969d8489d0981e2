import { gateScript, SHELL_TOOLS, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = String.raw`
# Hosts that are asked nothing about: edit this line. Dots are written [.] here.
known='localhost|127[.]0[.]0[.]1|github[.]com|registry[.]npmjs[.]org|pypi[.]org'
when deny '(curl|wget)[[:space:]](.*[[:space:]])?(-[A-Za-z]*[dFT][^[:space:]]*|--data[^[:space:]]*|--form[^[:space:]]*|--json|--upload-file|--post-(data|file)[^[:space:]]*|--body-(data|file)[^[:space:]]*)([[:space:]=]|$)' "Nothing is uploaded from here."
when deny '(nc|ncat|netcat|socat|telnet|ftp|sftp|scp|rsync[[:space:]](.*[[:space:]])?[^[:space:]/]+:[^[:space:]]*)([[:space:]]|$)' "Nothing is sent to another machine from here."
when ask '(ssh|mosh)[[:space:]]' "This opens a shell on another machine: a person decides."
# Downloads: what is left of a line once its known hosts are gone.
text=$(printf '%s\n' "$text" | LC_ALL=C sed -E "s#https?://($known)(:[0-9]+)?(/[^[:space:]]*)?([[:space:]]|\$)# known #g; s#[[:space:]](-o|--output)[[:space:]=]+[^[:space:]]+# #g") || say deny "The call could not be judged, so it is refused."
when ask '(curl|wget|http|https|aria2c)[[:space:]](.*[[:space:]])?[^[:space:]]*(://|[.][a-z]{2,}|[$]|[0-9]+[.][0-9]+)' "This reaches a host that is not on the list: a person decides."
at=''
when deny '/dev/(tcp|udp)/' "Nothing is sent to another machine from here."
`;

const ADDRESSES = `
when deny '169[.]254[.]169[.]254|metadata[.]google[.]internal|100[.]100[.]100[.]200|fd00:ec2::254' "This address hands out a machine's own credentials."
`;

export const networkEgress: Pack = {
  id: "network-egress",
  title: "Network egress",
  version: 3,
  promise: "Data does not leave by the shell, and new hosts are reached after somebody agreed.",
  denies:
    "uploads with curl and wget, netcat, socat, scp, sftp, remote rsync, `/dev/tcp`; for every tool, the addresses that hand out a cloud machine's credentials.",
  asks: "downloads from hosts that are not on the list, and ssh.",
  changes: "",
  passes:
    "downloads from the hosts on the list, which is one line of the policy, and everything without a network command.",
  limits:
    "A download can carry data out in its address. Programs with a network of their own (git, npm, python, a test) are not seen, nor is a name put together at run time. A firewall is the wall; this is the sign in front of it.",
  source: `# Uploads are refused, unknown hosts asked about.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: network egress
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, shellGateScript(RULES))}
    - matcher: "${SHELL_TOOLS}|${kindMatcher("fetch")}|api|(?i:.*(fetch|http|browser|url).*)"
      preempt_yolo: true
      hooks:
        - name: no machine credentials
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, gateScript(ADDRESSES))}
`,
};
