import type { Pack } from "../pack.ts";

export const catastropheOnly: Pack = {
  id: "catastrophe-only",
  version: 5,
  title: "Catastrophe only",
  promise: "Blocks only irreversible commands.",
  denies:
    "recursive deletes of a root, a home, a system folder, `.git` or the whole project, also by `mv` and `rsync --delete`; formatting, erasing and overwriting disks; recursive `chmod` and `chown` of a system; shutting down the machine; fork bombs.",
  asks: "",
  changes: "",
  passes: "everything else.",
  limits:
    "It stops accidents, not intent. It does not check commands that are known only at run time (`$COMMAND`, `eval`, `base64 -d | sh`), code in other languages, or scripts already on disk. A rule with `opaque: true` asks about the first three.",
  source: `# What nobody could undo is refused. A start for every workspace: it is in nobody's way.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: no catastrophe
          type: rules
          rules:
            - deny: This would delete a home, a system or a whole project. Name what should go.
              command: { program: [rm, srm, remove-item, del, shred, rmdir], flags: [recursive], target: { class: [everything], access: delete } }
            - deny: This would delete the history of the project.
              command: { program: [rm, remove-item, del], flags: [recursive], target: { path: ".git", access: delete } }
            - deny: Nothing deletes the root of a file system here.
              command: { program: rm, flags: [no_preserve_root] }
            - deny: This would delete a system folder.
              command: { program: [rm, srm, remove-item], flags: [recursive], target: { class: everything, access: delete } }
            - deny: This would move a home, a system or a whole project away.
              command: { program: mv, target: { class: everything, access: delete } }
            - deny: This would delete everything that is not in the other folder.
              command: { program: rsync, flags: [delete], target: { class: everything, outside: project, access: write } }
            - deny: This would change the rights of a whole system.
              command: { program: [chmod, chown, chgrp, setfacl, icacls, chattr], flags: [recursive], target: { class: everything, outside: project } }
            - deny: Nothing formats or partitions a disk here.
              command: { program: [mkfs, wipefs, blkdiscard, fdisk, sfdisk, sgdisk, parted, diskpart, format], without_flags: [list] }
            - deny: Nothing erases a disk here.
              command: { program: diskutil, subcommand: [erasedisk, erasevolume, secureerase, zerodisk, randomdisk, partitiondisk, reformat] }
            - deny: Nothing turns the machine off here.
              any:
                - command: { program: [shutdown, reboot, halt, poweroff, stop-computer, restart-computer], without_flags: [cancel] }
                - command: { program: [init, telinit], subcommand: ["0", "6"] }
                - command: { program: systemctl, subcommand: [poweroff, reboot, halt, kexec, suspend, hibernate] }
            - deny: Nothing writes over a disk here.
              path: { class: device, access: write }
            - deny: This is a fork bomb.
              command: { program: fork bomb }
`,
};
