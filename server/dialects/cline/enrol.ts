/** The files that enrol Cline: one executable for each event. Cline ignores exit codes, so the refusal is printed. */
import { CLIENT_FILES } from "../client-files.ts";
import { type EnrolmentFile, type EnrolmentOptions, relayCommand, relayFiles } from "../enrolment.ts";
import { EXECUTABLES } from "./executables.ts";

export function enrolCline(options: EnrolmentOptions): EnrolmentFile[] {
  const executables = Object.entries(EXECUTABLES).map(([name, [event, denial]]) => ({
    path: `${CLIENT_FILES.cline.user[0]}/${name}`,
    mode: 0o755,
    content: `#!/bin/sh\n# Asks Quarterdeck; without a verdict, an event that can block does.\n${relayCommand(options, { dialect: "cline", event, denial })}\n`,
  }));
  return [...executables, ...relayFiles(options)];
}
