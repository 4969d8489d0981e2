/** A call's reading for display, made with the code that evaluates rules. Runs in a browser. Pure. */
import { type ReadCall, readCall } from "../calls/call.ts";
import type { CallPath, CommandFacts } from "../calls/command-facts.ts";
import type { Host } from "../calls/hosts.ts";
import { type CallReading, READING_LIMITS, READING_TEXT_MAX, type ReadPath } from "./schema.ts";

export interface RecordedCall {
  readonly tool: string;
  readonly input: unknown;
  /** The call's working directory; null if the client does not send it. */
  readonly directory: string | null;
}

/** Of one command. */
const FLAGS_MAX = 40;

export const readRecordedCall = ({ tool, input, directory }: RecordedCall): ReadCall =>
  readCall({ tool, input, place: { workingDirectory: directory || null } });

export function callReading(call: ReadCall): CallReading {
  const { tool, kind, size, mcp, commands, sql, opaque } = call;
  const room: Record<keyof typeof READING_LIMITS, number> = { ...READING_LIMITS };
  let leftOut = 0;
  /** The first items, up to the limit for their kind. */
  const take = <T, U>(of: keyof typeof READING_LIMITS, items: readonly T[], view: (item: T) => U): U[] => {
    const taken = items.slice(0, room[of]);
    room[of] -= taken.length;
    leftOut += items.length - taken.length;
    return taken.map(view);
  };
  const paths = (all: readonly CallPath[]) => take("paths", distinct(all), pathView);
  const hosts = (all: readonly Host[]) => take("hosts", all, hostView);
  return {
    ...{ tool: cut(tool), kind, size },
    mcp: mcp && { server: cut(mcp.server), tool: cut(mcp.tool) },
    // The call's own paths come before those of its commands.
    paths: paths(ownOf(call.paths, commands, (one) => one.paths)),
    hosts: hosts(ownOf(call.hosts, commands, (one) => one.hosts)),
    commands: take("commands", commands, ({ program, flags, command, paths: used, hosts: named }) => ({
      ...{ program: cut(program), source: cut(command.source), parent: command.parent },
      flags: [...flags].slice(0, FLAGS_MAX).map(cut),
      directory: command.directory === null ? null : cut(command.directory),
      paths: paths(used),
      hosts: hosts(named),
    })),
    sql: take("statements", sql, (one) => ({ ...one, verb: cut(one.verb), source: cut(one.source) })),
    opaque: take("opaque", opaque, (one) => ({ ...one, reason: cut(one.reason), source: cut(one.source) })),
    leftOut,
  };
}

function ownOf<T>(all: readonly T[], commands: readonly CommandFacts[], of: (one: CommandFacts) => readonly T[]) {
  return all.slice(0, all.length - commands.reduce((sum, one) => sum + of(one).length, 0));
}

const hostView = ({ name, source }: Host) => ({ name: cut(name), source: cut(source) });

const pathView = ({ source, path, access, classes }: CallPath): ReadPath => ({
  source: cut(source),
  path: path === null ? null : cut(path),
  access,
  classes: [...classes],
});

function distinct(paths: readonly CallPath[]): readonly CallPath[] {
  const seen = new Set<string>();
  return paths.filter(({ path, source, access }) => {
    const key = `${access} ${path ?? source}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const cut = (text: string): string =>
  text.length > READING_TEXT_MAX ? `${text.slice(0, READING_TEXT_MAX - 1)}…` : text;
