import { SHELL_TOOLS, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = `
home='~|[$][{]?HOME[}]?|/(home|Users)/[^/[:space:]]+|/root'
system='/(bin|boot|dev|etc|home|lib[0-9]*|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)'
tail='(/+[.]?)*'
target="(/+[.]?|[.][.]?$tail|[^[:space:]]*/[.][.]/?|($home|$system)$tail|([^[:space:]]*/)?[.]git/?|(($home|$system|[.][.]?)?/)?[*])"
recursive='(-[A-Za-z]*[rR][A-Za-z]*|--recursive)'
end='([[:space:]}]|$)'
when deny "rm[[:space:]](.*[[:space:]])?$recursive[[:space:]](.*[[:space:]])?$target$end" "This would delete a home, a system or a whole project. Name what should go."
when deny "rm[[:space:]](.*[[:space:]])?$target[[:space:]](.*[[:space:]])?$recursive$end" "This would delete a home, a system or a whole project. Name what should go."
when deny 'rm[[:space:]].*--no-preserve-root' "Nothing deletes the root of a file system here."
when deny "find[[:space:]]+($home|$system|/)/*[[:space:]](.*[[:space:]])?-delete" "This would delete a home or a system."
when deny "(chmod|chown|chgrp)[[:space:]](.*[[:space:]])?$recursive[[:space:]](.*[[:space:]])?(/+|($home|$system)/*)$end" "This would change the rights of a whole system."
when deny '(mkfs([.][a-z0-9]+)?|wipefs|blkdiscard|fdisk|sgdisk|parted)[[:space:]]' "Nothing formats or partitions a disk here."
when deny '(shutdown|reboot|halt|poweroff|init[[:space:]]+[06])'"$end" "Nothing turns the machine off here."
at=''
when deny '(of=|>[[:space:]]*)/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk|mapper)' "Nothing writes over a disk here."
when deny '^[[:space:]]*[{][[:space:]]*:[[:space:]]*$' "This looks like a fork bomb."
`;

export const catastropheOnly: Pack = {
  id: "catastrophe-only",
  title: "Catastrophe only",
  version: 3,
  promise: "What nobody could undo is refused, and everything else goes on as before.",
  denies:
    "recursive deletes of a root, a home, a system folder, `.git` or everything here; formatting and overwriting disks; recursive `chmod` and `chown` of a system; turning the machine off; fork bombs.",
  asks: "",
  changes: "",
  passes: "everything else, also when it is unwise.",
  limits:
    "It stops accidents, not intent: a name put together at run time (`$X -rf /`, `base64 -d | sh`), a script that was written first, or another language gets by. A here-document or a quoted text that holds such a command on a line of its own is refused too.",
  source: `# What nobody could undo is refused. A start for every workspace: it is in nobody's way.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: no catastrophe
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, shellGateScript(RULES))}
`,
};
