/** A command in the form that patterns match: lower case, one blank for each white space. */
export function normaliseCommand(command: string): string {
  return command.toLowerCase().split(WHITE).filter(Boolean).join(" ");
}

const WHITE = /[\s\u0085]+/;
