/** The settings that --user, --project or --managed name: those of an enrolment, and of its drill. */
import { resolve } from "node:path";
import {
  ENROLLED_CLIENTS,
  type EnrolledClient,
  type EnrolledClientInfo,
  type EnrolmentScope,
} from "../../dialects/schema.ts";
import { Refusal } from "../refusal.ts";

export interface ScopeOptions {
  readonly project?: string | true;
  readonly user?: boolean;
  readonly managed?: boolean;
}

/** The client's first scope without a choice. Errors: a `Refusal` for several, and for one that the client does not have. */
export function scopeOf(client: EnrolledClient, asked: ScopeOptions): EnrolmentScope {
  const flags = (["project", "user", "managed"] as const).filter(
    (flag) => asked[flag] !== undefined && asked[flag] !== false,
  );
  if (flags.length > 1) throw new Refusal(`Give one of --${flags.join(" and --")}.`, 2);
  const { scopes, title }: EnrolledClientInfo = ENROLLED_CLIENTS[client];
  const [scope = scopes[0] ?? "user"] = flags;
  if (scopes.includes(scope)) return scope;
  throw new Refusal(`${title} reads no ${scope} settings that hold hooks: use --${scopes.join(" or --")}.`, 2);
}

export const projectFolder = ({ project }: ScopeOptions, workingDirectory: string): string =>
  resolve(workingDirectory, typeof project === "string" ? project : ".");
