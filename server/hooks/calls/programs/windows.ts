/** cmd programs and PowerShell cmdlets. Option names ignore case and may be abbreviated. */
import type { PathAccess } from "../path-class-names.ts";
import type { Program } from "./program.ts";

const RECURSIVE = "-r -re -rec -recu -recur -recurs -recurse -recurse:$true /s";
const FORCE = "-fo -for -forc -force -force:$true /f /q";
const PATHS = "path literalpath lp pspath filter include exclude";
const paths = (access: PathAccess) => ({ "-path": access, "-literalpath": access, "-lp": access, "-pspath": access });

export const WINDOWS_PROGRAMS: Readonly<Record<string, Program>> = {
  "remove-item": {
    long: PATHS,
    operands: "delete",
    files: paths("delete"),
    flags: { recursive: RECURSIVE, force: FORCE },
  },
  del: { long: PATHS, operands: "delete", files: paths("delete"), flags: { recursive: RECURSIVE, force: FORCE } },
  "clear-content": { long: PATHS, operands: "write", files: paths("write") },
  "set-content": { long: `${PATHS} value encoding`, operands: "write", files: paths("write") },
  "add-content": { long: `${PATHS} value encoding`, operands: "write", files: paths("write") },
  "out-file": { long: "filepath encoding width", operands: "write", files: { "-filepath": "write" } },
  "get-content": { long: `${PATHS} totalcount tail encoding`, operands: "read", files: paths("read") },
  "move-item": {
    long: `${PATHS} destination`,
    operands: "move",
    files: { ...paths("delete"), "-destination": "write" },
  },
  "copy-item": { long: `${PATHS} destination`, operands: "copy", files: { ...paths("read"), "-destination": "write" } },
  icacls: { operands: "write", flags: { recursive: "/t" } },
  "invoke-webrequest": {
    long: "uri method body headers outfile infile",
    operands: "remote",
    isNetwork: true,
    flags: { upload: "-body -infile" },
    files: { "-outfile": "write", "-infile": "read" },
  },
  "invoke-restmethod": {
    long: "uri method body headers outfile infile",
    operands: "remote",
    isNetwork: true,
    flags: { upload: "-body -infile" },
    files: { "-outfile": "write", "-infile": "read" },
  },
};
