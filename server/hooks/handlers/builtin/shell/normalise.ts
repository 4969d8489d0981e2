/** A command as patterns are compared with it: lower case, one blank wherever white space was. */
export function normaliseCommand(command: string): string {
  return command.toLowerCase().split(WHITE).filter(Boolean).join(" ");
}

const WHITE = /[\s\u0085]+/;
