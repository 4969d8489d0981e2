/** Commands that delete, overwrite or reshape files and devices (taxonomy 0.2, with the additions of 0.3 and 0.4). */
import { rows } from "./row.ts";

export const FILES = [
  ...rows("fs-delete", "high", "rm -rf <path>", "rm -r <path>", "rm -R <path>"),
  ...rows("fs-delete", "medium", "rm -f <single-file>"),
  ...rows("fs-delete", "low", "rm <single-file>", "rmdir <path>"),
  ...rows("fs-delete", "high", "find <path> -delete", "find <path> -exec rm {} \\;"),
  ...rows("fs-secure-delete", "high", "shred <file>", "shred -u <file>"),
  ...rows("fs-overwrite", "high", "dd if=/dev/zero of=<file>"),
  ...rows("block-device", "high", "dd if=... of=/dev/<disk>", "mkfs.<fs> <device>", "mkfs -t <fs> <device>"),
  ...rows("block-device", "high", "wipefs <device>"),
  ...rows("fs-overwrite", "medium", "> <file>", "truncate -s 0 <file>"),
  ...rows("fs-modify", "medium", "mv -f <src> <existing-dst>", "mv <src> <existing-dst>"),
  ...rows("fs-modify", "medium", "cp -f <src> <existing-dst>"),
  ...rows("fs-modify", "high", "cp -rf <src> <existing-dst>", "rsync --delete <src> <dst>"),
  ...rows("fs-modify", "medium", "ln -sf <target> <existing>"),
  ...rows("fs-permissions", "medium", "chmod -R 000 <path>", "chown -R <user> <path>"),
  ...rows("fs-permissions", "low", "chmod -R 777 <path>"),
  ...rows("fs-modify", "medium", "sed -i"),
  ...rows("fs-modify", "medium", "gofmt -w", "gofmt ... -w", "goimports -w", "goimports ... -w", "go fmt"),
  ...rows("fs-modify", "medium", "golangci-lint fmt", "perl -i", "perl -pi", "perl -pi<flags>", "perl -i<flags>"),
  ...rows("fs-overwrite", "medium", "tee <file>"),
  ...rows("fs-delete", "high", "Remove-Item ...-Recurse"),
  ...rows("fs-delete", "medium", "Remove-Item ...-Force"),
  ...rows("fs-delete", "low", "Remove-Item <path>"),
  ...rows("fs-overwrite", "medium", "Clear-Content ..."),
];
